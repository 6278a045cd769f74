/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected (Python: binascii.crc_hqx). */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

uint16_t crc16(const uint8_t *bytes, uint8_t length);

#endif

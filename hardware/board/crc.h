/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected (Python: binascii.crc_hqx). */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#define CRC_START 0xFFFF

/* The checksum after one more byte. Over a frame with its own checksum it comes to zero. */
uint16_t crc16(uint16_t crc, uint8_t byte);

#endif

/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected (Python: binascii.crc_hqx). */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#define CRC_START 0xFFFF

/* The checksum after one more byte. Over a frame with its own checksum it comes to zero. */
static inline uint16_t crc16(uint16_t crc, uint8_t byte)
{
    /* Eight steps of the polynomial at once, byte by byte: an AVR has no fast shift of 16 bits. */
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    uint8_t high = (uint8_t)crc ^ (uint8_t)(x << 4) ^ (x >> 3);
    uint8_t low = (uint8_t)(x << 5) ^ x;
    return (uint16_t)(high << 8) | low;
}

#endif

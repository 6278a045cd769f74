#include "crc.h"

uint16_t crc16(uint16_t crc, uint8_t byte)
{
    /* Eight steps of the polynomial at once. */
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    return (uint16_t)(crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x;
}

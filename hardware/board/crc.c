#include "crc.h"

uint16_t crc16(const uint8_t *bytes, uint8_t length)
{
    uint16_t crc = 0xFFFF;
    while (length--) {
        /* Eight steps of the polynomial at once; a bitwise loop would cost 3 ms for a long frame. */
        uint8_t x = (uint8_t)(crc >> 8) ^ *bytes++;
        x ^= x >> 4;
        crc = (uint16_t)(crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x;
    }
    return crc;
}

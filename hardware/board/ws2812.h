/* The one wire to the lamps. */
#ifndef WS2812_H
#define WS2812_H

#include <stdint.h>

/* Write `length` bytes (green, red, blue a lamp) to LAMP_PORT bit LAMP_BIT, 10 us a byte.
 * Interrupts must be off: a late edge is another colour. Meanwhile it empties the UART into its ring.
 * Reads one byte beyond the end. Returns 0, or something else when received bytes were lost. */
uint8_t ws2812_write(const uint8_t *bytes, uint16_t length);

#endif

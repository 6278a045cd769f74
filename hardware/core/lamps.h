/* The picture in RAM and the moment when it goes to the strip. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdint.h>

void lamps_use(uint8_t count);       /* how many the host speaks of, up to LAMPS_MAX; the picture becomes dark */
uint8_t lamps_count(void);
void lamps_set(uint8_t at, const uint8_t *rgb);
void lamps_fill(uint8_t red, uint8_t green, uint8_t blue);
void lamps_fade(void);               /* every colour down by a quarter */
void lamps_show(void);               /* write; returns after the last bit */
uint16_t lamps_ma(void);             /* what the strip would draw, upper estimate */
uint16_t lamps_crc(void);            /* over red, green, blue of every lamp in use */

#endif

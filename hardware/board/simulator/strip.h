/* SPDX-License-Identifier: GPL-3.0-or-later
 * A WS2812B strip on the LED pin: edges with their cycle come in, colours come out.
 */
#ifndef SIMULATOR_STRIP_H
#define SIMULATOR_STRIP_H

#include <stdint.h>

#include "sim_avr.h"

#define STRIP_MAX 512

struct strip_write {
    avr_cycle_count_t first_edge, last_edge; /* rise of the first bit, fall of the last */
    unsigned bits;
    unsigned violations; /* edges outside the data sheet's windows, and bits that fill no lamp */
    unsigned high_min[2], high_max[2], low_min[2], low_max[2]; /* cycles, for zeros and ones */
};

/* `latched` is called when the line has been low for 50 us after a write. */
void strip_attach(avr_t *avr, char port, int bit, unsigned lamps, void (*latched)(const struct strip_write *));
void strip_tick(void); /* to be called at least every millisecond of simulated time */
int strip_busy(void);
void strip_power_off(void);
unsigned strip_lamps(void);
uint32_t strip_colour(unsigned lamp); /* 0xRRGGBB */

#endif

/* What main.c starts and drives; what the core asks of it stands in ../core/board.h. */
#ifndef START_H
#define START_H

#include <stdint.h>

/* Timer 1 counts 4 us steps by itself, so that milliseconds stay true while the strip is written with interrupts
 * off; timer 0 only wakes the sleeping CPU every 2 ms. Call clock_ms at least every 262 ms. */
void clock_start(void);
#define TICK_US 4 /* of TCNT1 */

void memory_start(void); /* once after each reset */
void buttons_start(uint8_t remembered); /* 0: whether a button was down before is not known */
void buttons_tick(uint32_t now_ms);
void strip_start(void); /* data line low */

#endif

/* Milliseconds that stay true while the strip is written with interrupts off: the hardware counts. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define TICK_US 4 /* of TCNT1 */

/* Timer 1 counts 4 us steps by itself; timer 0 only wakes the sleeping CPU every 2 ms. */
void clock_start(void);

/* Milliseconds since clock_start. Call it at least every 262 ms (the watchdog bites later). */
uint32_t clock_ms(void);

#endif

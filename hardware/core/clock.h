/* The time. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

uint32_t clock_ms(void); /* milliseconds since the board started; goes on while the strip is written */

#endif

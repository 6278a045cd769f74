/* Four push buttons, debounced; every press and release becomes an event. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

void buttons_start(void);
void buttons_tick(uint32_t now_ms);
uint8_t buttons_down(void); /* bit 0 = the first */

#endif

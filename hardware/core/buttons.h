/* Push buttons: whoever reads them, debounced, calls events_add(PRESSED or RELEASED, button) for each change. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

uint8_t buttons_down(void); /* bit 0 = the first; as it was told (events.c) */

#endif

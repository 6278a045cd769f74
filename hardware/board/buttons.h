/* Four push buttons, debounced; a press between two questions of the host is not lost. */
#ifndef BUTTONS_H
#define BUTTONS_H

#include <stdint.h>

void buttons_start(void);
void buttons_tick(uint32_t now_ms);

/* Low nibble: down now. High nibble: pressed since the last buttons_take. */
uint8_t buttons_take(void);

#endif

/* What outlives the power. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

uint16_t memory_boot(void);          /* another number each time: asked for when all events were forgotten */
uint32_t memory_serial(void);        /* 0 when nobody has given one */
void memory_keep_serial(uint32_t serial); /* takes up to 20 ms */

#endif

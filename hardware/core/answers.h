/* What the board says: a frame put together number by number, summed up and sent. One at a time. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdint.h>

#define HEAD 3 /* type, seq, length */
#define TAIL 2 /* crc */

void answer_begin(uint8_t type, uint8_t seq);

/* The lowest `bytes` bytes of a number, the highest first. */
void answer_add(uint32_t value, uint8_t bytes);

void answer_send(void);

#endif

/* What the board has to tell by itself: numbered, in order, told again until somebody has heard it. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdint.h>

struct told {
    uint8_t number, kind, value;
};

void events_add(uint8_t kind, uint8_t value);
uint8_t events_oldest(struct told *event); /* 0 when there is none */
void events_heard(uint8_t number);         /* forget the oldest, if it has this number */
uint8_t events_last(void);                 /* number of the last event that was heard */

#endif

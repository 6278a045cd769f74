/* What the board has to tell by itself: numbered, in order, told again until somebody has heard it, also after a reset
 * that leaves the memory alone (KEPT of config.h): watchdog, reset pin, a brown-out that was not too deep. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdint.h>

struct told {
    uint8_t number, kind, value;
};

uint8_t events_start(void);                /* once after each reset; 0 when all was forgotten */
void events_add(uint8_t kind, uint8_t value);
void events_found_down(uint8_t buttons);   /* held since before we looked: no press */
uint8_t events_oldest(struct told *event); /* 0 when there is none */
void events_heard(uint8_t number);         /* forget the oldest, if it has this number */
uint8_t events_last(void);                 /* number of the last event that was heard */
uint16_t events_boot(void);                /* another number whenever all was forgotten */

#endif

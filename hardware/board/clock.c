#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "start.h"

#define TICKS_PER_MS (1000 / TICK_US)

EMPTY_INTERRUPT(TIMER0_COMPA_vect)

void clock_start(void)
{
    TCNT1 = 0; /* the old bootloader, or we ourselves, may start us without a reset */
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10); /* free running, 16 MHz / 64 */
    TCCR0A = _BV(WGM01);            /* count to OCR0A; the pin OC0A (our strip) stays disconnected */
    OCR0A = 124;                    /* 16 MHz / 256 / 125 = 500 Hz */
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS02);
}

uint32_t clock_ms(void)
{
    static uint16_t counted;
    static uint32_t ms;
    while ((uint16_t)(TCNT1 - counted) >= TICKS_PER_MS) {
        counted += TICKS_PER_MS;
        ms++;
    }
    return ms;
}

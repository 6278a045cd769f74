#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "start.h"
#include "ws2812.h"

static uint16_t written; /* timer 1 after the last bit */

/* So that the strip can never take this write for the rest of the last one. */
static void wait_for_latch(void)
{
    while ((uint16_t)(TCNT1 - written) < LATCH_US / TICK_US)
        ;
}

void strip_start(void)
{
    LAMP_PORT &= ~_BV(LAMP_BIT);
    LAMP_DDR |= _BV(LAMP_BIT);
    written = TCNT1;
}

void strip_write(const uint8_t *bytes, uint16_t length)
{
    uart_flush(); /* the host shall not wait for an answer until the strip is written */
    wait_for_latch();
    uint8_t interrupts = SREG;
    cli();
    if (ws2812_write(bytes, length))
        uart_overran();
    SREG = interrupts;
    written = TCNT1;
}

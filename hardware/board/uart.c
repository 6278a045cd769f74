#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "config.h"

volatile uint8_t uart_ring[256];
volatile uint8_t uart_head, uart_tail;
static volatile uint16_t overruns;

void uart_start(void)
{
    UCSR0A = _BV(U2X0); /* before the divisor: emulators compute the speed when UBRR is written */
    UBRR0 = F_CPU / 8 / BAUD_RATE - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00); /* 8N1 */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

void uart_overran(void)
{
    if (overruns != UINT16_MAX)
        overruns++;
}

ISR(USART_RX_vect)
{
    uint8_t lost = UCSR0A & _BV(DOR0); /* belongs to the byte read next: look before reading */
    uint8_t byte = UDR0;
    uint8_t at = uart_head, next = at + 1;
    if (next == uart_tail)
        lost = 1;
    else {
        uart_ring[at] = byte;
        uart_head = next;
    }
    if (lost && overruns != UINT16_MAX)
        overruns++;
}

static const uint8_t *volatile sending;
static volatile uint8_t left;

ISR(USART_UDRE_vect)
{
    const uint8_t *at = sending;
    UDR0 = *at;
    sending = at + 1;
    if (!--left)
        UCSR0B &= ~_BV(UDRIE0);
}

void uart_send(const uint8_t *bytes, uint8_t length)
{
    uart_flush();
    sending = bytes;
    left = length;
    UCSR0B |= _BV(UDRIE0);
}

void uart_flush(void)
{
    while (left)
        ;
}

uint16_t uart_overruns(void)
{
    uint16_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = overruns; }
    return now;
}

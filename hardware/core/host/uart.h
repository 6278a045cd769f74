/* A ring that the test fills, and an end where it reads. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

#define UART_ROOM 255

extern uint8_t uart_ring[256]; /* the indices wrap by themselves */
extern uint8_t uart_head, uart_tail;

void uart_send(const uint8_t *bytes, uint8_t length);
void uart_flush(void);
uint16_t uart_overruns(void);

static inline uint8_t uart_waiting(void)
{
    return (uint8_t)(uart_head - uart_tail);
}

static inline uint8_t uart_take(void)
{
    return uart_ring[uart_tail++];
}

#endif

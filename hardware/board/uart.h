/* The serial port: received bytes wait in a ring of 256, sent ones where they are. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

#define UART_ROOM 255 /* bytes that may wait */

void uart_start(void);
void uart_send(const uint8_t *bytes, uint8_t length); /* returns at once: leave the bytes alone until uart_flush */
void uart_flush(void);        /* wait until all has left */
void uart_overran(void);      /* somebody else saw bytes being lost; interrupts off */
uint16_t uart_overruns(void); /* times that bytes were lost since boot, by the hardware or a full ring */

/* ws2812.S fills the ring too, while the interrupts are off. */
extern volatile uint8_t uart_ring[256]; /* the indices wrap by themselves */
extern volatile uint8_t uart_head, uart_tail;

/* Bytes in the ring. */
static inline uint8_t uart_waiting(void)
{
    return uart_head - uart_tail;
}

/* The oldest byte; only when uart_waiting(). */
static inline uint8_t uart_take(void)
{
    uint8_t at = uart_tail, byte = uart_ring[at];
    uart_tail = at + 1;
    return byte;
}

#endif

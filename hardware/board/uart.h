/* The serial port: received bytes wait in a ring of 256, sent bytes are waited for. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

#define UART_ROOM 255 /* bytes that may wait */

void uart_start(void);
uint8_t uart_waiting(void);  /* bytes in the ring */
uint8_t uart_take(void);     /* the oldest byte; only when uart_waiting() */
void uart_send(const uint8_t *bytes, uint8_t length);
void uart_overran(void);      /* somebody else saw bytes being lost; interrupts off */
uint16_t uart_overruns(void); /* times that bytes were lost since boot, by the hardware or a full ring */

/* ws2812.S fills the ring too, while the interrupts are off. */
extern volatile uint8_t uart_ring[256]; /* the indices wrap by themselves */
extern volatile uint8_t uart_head, uart_tail;

#endif

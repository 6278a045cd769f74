/* The serial port: received bytes wait in a ring of 256, sent bytes are waited for. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

void uart_start(void);
uint8_t uart_waiting(void);  /* bytes in the ring */
uint8_t uart_take(void);     /* the oldest byte; only when uart_waiting() */
void uart_send(const uint8_t *bytes, uint8_t length);
uint16_t uart_overruns(void); /* times that bytes were lost since boot, by the hardware or a full ring */

#endif

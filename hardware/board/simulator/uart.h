/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ATmega328P's USART as its data sheet describes it, in place of simavr's: a receive buffer of two
 * bytes plus the shift register (a third byte may wait there until the next start bit destroys it),
 * DOR when that happens, bytes on the line one after the other at the speed that UBRR and U2X give. Where the
 * host has another speed, each end samples the other's levels at its own and gets what a chip would get, framing
 * errors (FE) included.
 */
#ifndef SIMULATOR_UART_H
#define SIMULATOR_UART_H

#include <stddef.h>
#include <stdint.h>

#include "sim_avr.h"

struct uart_counts {
    uint64_t received, sent;
    uint64_t overrun; /* bytes destroyed in the shift register */
    uint64_t deaf;    /* bytes that came while the receiver was off */
};

/* `moved` is called for every byte: `outwards` when its start bit leaves the board, else when it has arrived. */
void uart_attach(avr_t *avr, void (*moved)(uint8_t byte, int outwards));

/* Put bytes on the line to the board; returns how many fitted. */
size_t uart_feed(const uint8_t *bytes, size_t length);
size_t uart_room(void);
void uart_line_speed(unsigned baud); /* the host's; 500 000 unless told */
void uart_drop(void); /* forget what is still on the line */
void uart_kick(void); /* after a reset: go on with the line */
int uart_busy(void);
const struct uart_counts *uart_counted(void);

#endif

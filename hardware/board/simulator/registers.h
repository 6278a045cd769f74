/* SPDX-License-Identifier: GPL-3.0-or-later
 * Registers of the chip that answer as we want, not as simavr has them.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "sim_avr.h"
#include "sim_interrupts.h"
#include "sim_io.h"

/* simavr leaves the flag of a "sticky" vector standing: this takes it down. */
void register_lower(avr_t *avr, avr_int_vector_t *vector);

void register_replace(avr_t *avr, avr_io_addr_t addr, avr_io_read_t read, avr_io_write_t write);

/* A register that only keeps what is written to it. */
uint8_t register_read(avr_t *chip, avr_io_addr_t addr, void *param);
void register_write(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param);

#endif

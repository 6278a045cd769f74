/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "registers.h"

#include <stddef.h>

#include "sim_regbit.h"

void register_lower(avr_t *avr, avr_int_vector_t *vector)
{
    avr_clear_interrupt(avr, vector);
    avr_regbit_clear(avr, vector->raised);
}

uint8_t register_read(avr_t *chip, avr_io_addr_t addr, void *param)
{
    (void)param;
    return chip->data[addr];
}

void register_replace(avr_t *avr, avr_io_addr_t addr, avr_io_read_t read, avr_io_write_t write)
{
    avr->io[AVR_DATA_TO_IO(addr)].r.c = read;
    avr->io[AVR_DATA_TO_IO(addr)].r.param = NULL;
    avr->io[AVR_DATA_TO_IO(addr)].w.c = write;
    avr->io[AVR_DATA_TO_IO(addr)].w.param = NULL;
}

void register_write(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    chip->data[addr] = value;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_uart.h"
#include "sim_cycle_timers.h"
#include "sim_regbit.h"

#define LINE_SIZE 4096

static avr_t *avr;
static avr_uart_t *stock; /* simavr's: we use its register map and vectors, not its behaviour */
static void (*report)(uint8_t byte, int outwards);
static struct uart_counts counts;

static uint8_t line[LINE_SIZE]; /* on the way to the board */
static size_t line_from, line_length;
static int arriving; /* a byte is being shifted in */

static uint8_t buffer[2], buffered;
static uint8_t shifted, shift_waits;

static uint8_t sending, send_buffer, send_waits;

static avr_cycle_count_t byte_cycles(void)
{
    uint32_t divisor = avr_regbit_get(avr, stock->ubrrl) | (avr_regbit_get(avr, stock->ubrrh) << 8);
    return (avr_cycle_count_t)(divisor + 1) * (avr_regbit_get(avr, stock->u2x) ? 8 : 16) * 10; /* 8N1 */
}

/* simavr leaves the flag of a "sticky" vector standing. */
static void lower(avr_int_vector_t *vector)
{
    avr_clear_interrupt(avr, vector);
    avr_regbit_clear(avr, vector->raised);
}

static avr_cycle_count_t arrived(avr_t *chip, avr_cycle_count_t when, void *param);

/* Does the next byte begin? Whoever asks starts the timer. */
static int start_bit(void)
{
    if (arriving || !line_length)
        return 0;
    if (shift_waits && buffered == sizeof buffer) { /* data sheet, "Data OverRun" */
        shift_waits = 0;
        counts.overrun++;
        avr_regbit_set(avr, stock->dor);
    }
    return arriving = 1;
}

void uart_kick(void)
{
    if (start_bit())
        avr_cycle_timer_register(avr, byte_cycles(), arrived, NULL);
}

static void settle_received(void)
{
    if (shift_waits && buffered < sizeof buffer) {
        buffer[buffered++] = shifted;
        shift_waits = 0;
    }
    if (buffered)
        avr_raise_interrupt(avr, &stock->rxc);
    else
        lower(&stock->rxc);
}

static avr_cycle_count_t arrived(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)chip, (void)param;
    uint8_t byte = line[line_from];
    line_from = (line_from + 1) % LINE_SIZE;
    line_length--;
    arriving = 0;
    if (avr_regbit_get(avr, stock->rxen)) {
        counts.received++;
        shifted = byte;
        shift_waits = 1;
        settle_received();
    } else
        counts.deaf++;
    report(byte, 0);
    return start_bit() ? when + byte_cycles() : 0; /* from `when`: an instruction more or less does not add up */
}

static avr_cycle_count_t left(avr_t *chip, avr_cycle_count_t when, void *param);

static void shift_out(uint8_t byte)
{
    sending = 1;
    counts.sent++;
    report(byte, 1);
}

static avr_cycle_count_t left(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)chip, (void)param;
    sending = 0;
    if (!send_waits) {
        avr_raise_interrupt(avr, &stock->txc);
        return 0;
    }
    send_waits = 0;
    shift_out(send_buffer);
    avr_raise_interrupt(avr, &stock->udrc);
    return when + byte_cycles();
}

static uint8_t read_data(avr_t *chip, avr_io_addr_t addr, void *param)
{
    (void)param;
    uint8_t byte = buffer[0];
    if (buffered) {
        buffer[0] = buffer[1];
        buffered--;
    }
    avr_regbit_clear(chip, stock->dor);
    settle_received();
    chip->data[addr] = byte;
    return byte;
}

static void write_data(avr_t *chip, avr_io_addr_t addr, uint8_t byte, void *param)
{
    (void)addr, (void)param;
    if (!avr_regbit_get(chip, stock->txen))
        return;
    if (!sending) {
        shift_out(byte);
        avr_cycle_timer_register(chip, byte_cycles(), left, NULL);
    } else if (!send_waits) {
        send_buffer = byte;
        send_waits = 1;
    } /* else: the firmware did not wait for UDRE, the byte is lost as on the chip */
    if (send_waits)
        lower(&stock->udrc);
    else
        avr_raise_interrupt(chip, &stock->udrc);
}

static uint8_t read_plain(avr_t *chip, avr_io_addr_t addr, void *param)
{
    (void)param;
    return chip->data[addr];
}

static void write_status(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    if (value & (stock->txc.raised.mask << stock->txc.raised.bit))
        lower(&stock->txc);
    uint8_t writable = (stock->u2x.mask << stock->u2x.bit) | 1; /* U2X and MPCM; the rest is read-only */
    chip->data[addr] = (chip->data[addr] & ~writable) | (value & writable);
}

static void write_control(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    chip->data[addr] = value;
    if (!avr_regbit_get(chip, stock->rxen))
        buffered = shift_waits = 0; /* data sheet, "Disabling the Receiver": the buffer is flushed */
    settle_received();
    if (avr_regbit_get(chip, stock->udrc.raised))
        avr_raise_interrupt(chip, &stock->udrc);
}

static void replace(avr_io_addr_t addr, avr_io_read_t read, avr_io_write_t write)
{
    avr->io[AVR_DATA_TO_IO(addr)].r.c = read;
    avr->io[AVR_DATA_TO_IO(addr)].r.param = NULL;
    avr->io[AVR_DATA_TO_IO(addr)].w.c = write;
    avr->io[AVR_DATA_TO_IO(addr)].w.param = NULL;
}

static void write_plain(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    chip->data[addr] = value;
}

static void reset(avr_io_t *io)
{
    (void)io;
    arriving = buffered = shift_waits = sending = send_waits = 0; /* simavr has dropped our timers */
    avr_regbit_set(avr, stock->udrc.raised);
}

void uart_attach(avr_t *chip, void (*moved)(uint8_t byte, int outwards))
{
    static avr_io_t module = {.kind = "wire", .reset = reset};
    avr = chip;
    report = moved;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (io->kind && !strcmp(io->kind, "uart"))
            stock = (avr_uart_t *)io;
    if (!stock) {
        fprintf(stderr, "simulator: this simavr has no USART in its %s\n", avr->mmcu);
        exit(1);
    }
    replace(stock->r_udr, read_data, write_data);
    replace(stock->r_ucsra, read_plain, write_status);
    replace(stock->r_ucsrb, read_plain, write_control);
    replace(stock->ubrrl.reg, read_plain, write_plain);
    avr_register_io(avr, &module);
    reset(&module);
}

size_t uart_room(void)
{
    return LINE_SIZE - line_length;
}

size_t uart_feed(const uint8_t *bytes, size_t length)
{
    size_t fed = 0;
    while (fed < length && line_length < LINE_SIZE)
        line[(line_from + line_length++) % LINE_SIZE] = bytes[fed++];
    uart_kick();
    return fed;
}

void uart_drop(void)
{
    if (line_length)
        line_length = arriving; /* the byte under way cannot be called back */
}

int uart_busy(void)
{
    return line_length || buffered || shift_waits || sending;
}

const struct uart_counts *uart_counted(void)
{
    return &counts;
}

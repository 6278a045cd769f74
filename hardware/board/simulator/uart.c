/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_uart.h"
#include "sim_cycle_timers.h"
#include "sim_regbit.h"
#include "registers.h"
#include "wire.h"

static avr_t *avr;
static avr_uart_t *stock; /* simavr's: we use its register map and vectors, not its behaviour */
static void (*report)(uint8_t byte, int outwards);
static struct uart_counts counts;

static struct wire line; /* on the way to the board */
static double line_bit = 32; /* cycles: what the host takes for one */
static double line_start;    /* when the first byte of the line began; where the speeds differ */
static double heard_from, heard_bit;
static int arriving; /* a byte is being shifted in */

#define BUFFER 2
static uint16_t buffer[BUFFER], shifted;
static uint8_t buffered, shift_waits;

static uint8_t sending, send_buffer, send_waits;

static avr_cycle_count_t bit_cycles(void)
{
    uint32_t divisor = avr_regbit_get(avr, stock->ubrrl) | (avr_regbit_get(avr, stock->ubrrh) << 8);
    return (avr_cycle_count_t)(divisor + 1) * (avr_regbit_get(avr, stock->u2x) ? 8 : 16);
}

static avr_cycle_count_t byte_cycles(void)
{
    return bit_cycles() * 10; /* 8N1 */
}

void uart_line_speed(unsigned baud)
{
    if (baud)
        line_bit = (double)avr->frequency / baud;
}

/* Within 3.5 % two ends understand each other: half a bit is lost after ten at 5 %. */
static int same_speed(void)
{
    double ratio = (double)bit_cycles() / line_bit;
    return ratio > 0.965 && ratio < 1.035;
}

static avr_cycle_count_t arrived(avr_t *chip, avr_cycle_count_t when, void *param);
static avr_cycle_count_t misheard(avr_t *chip, avr_cycle_count_t when, void *param);

/* Does the next byte begin? Whoever asks starts the timer. */
static int start_bit(void)
{
    if (arriving || !line.length)
        return 0;
    if (shift_waits && buffered == BUFFER) { /* data sheet, "Data OverRun" */
        shift_waits = 0;
        counts.overrun++;
        avr_regbit_set(avr, stock->dor);
    }
    return arriving = 1;
}

/* A receiver at another speed: cycles from now until it has sampled what follows the next falling edge. */
static avr_cycle_count_t next_misheard(double now)
{
    long edge = wire_falling_edge(&line, (long)ceil((now - line_start) / line_bit));
    size_t over = edge < 0 ? line.length : (size_t)edge / 10;
    line.from = (line.from + over) % LINE_SIZE;
    line.length -= over;
    line_start += (double)over * 10 * line_bit;
    if (!start_bit())
        return 0;
    heard_from = (double)(edge % 10) * line_bit;
    heard_bit = (double)bit_cycles();
    return (avr_cycle_count_t)ceil(line_start + heard_from + 9.5 * heard_bit - now);
}

void uart_kick(void)
{
    if (arriving || !line.length)
        return;
    if (!avr_regbit_get(avr, stock->rxen) || same_speed()) {
        start_bit();
        avr_cycle_timer_register(avr, same_speed() ? byte_cycles() : (avr_cycle_count_t)(10 * line_bit), arrived, NULL);
        return;
    }
    line_start = (double)avr->cycle;
    avr_cycle_count_t after = next_misheard(line_start);
    if (after)
        avr_cycle_timer_register(avr, after, misheard, NULL);
}

static void settle_received(void)
{
    if (shift_waits && buffered < BUFFER) {
        buffer[buffered++] = shifted;
        shift_waits = 0;
    }
    avr_regbit_setto(avr, stock->fe, buffered && buffer[0] & BROKEN);
    if (buffered)
        avr_raise_interrupt(avr, &stock->rxc);
    else
        register_lower(avr, &stock->rxc);
}

static void take(uint16_t byte)
{
    arriving = 0;
    if (avr_regbit_get(avr, stock->rxen)) {
        counts.received++;
        shifted = byte;
        shift_waits = 1;
        settle_received();
    } else
        counts.deaf++;
    report((uint8_t)byte, 0);
}

static avr_cycle_count_t arrived(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)chip, (void)param;
    uint8_t byte = line.bytes[line.from];
    line.from = (line.from + 1) % LINE_SIZE;
    line.length--;
    take(byte);
    if (same_speed())
        return start_bit() ? when + byte_cycles() : 0; /* from `when`: an instruction more or less does not add up */
    uart_kick();
    return 0;
}

static avr_cycle_count_t misheard(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)chip, (void)param;
    uint16_t byte = wire_sampled(&line, line_bit, heard_from, heard_bit);
    take(byte);
    avr_cycle_count_t after = next_misheard((double)when);
    return after ? when + after : 0;
}

static avr_cycle_count_t left(avr_t *chip, avr_cycle_count_t when, void *param);

static void shift_out(uint8_t byte)
{
    sending = 1;
    counts.sent++;
    if (same_speed()) {
        report(byte, 1);
        return;
    }
    double bit = (double)bit_cycles(), edge = 0; /* the host, too, samples at its own speed */
    static struct wire alone = {.length = 1};
    alone.bytes[0] = byte;
    for (long at; (at = wire_falling_edge(&alone, (long)ceil(edge / bit))) >= 0; edge = (double)at * bit + 9.5 * line_bit)
        report((uint8_t)wire_sampled(&alone, bit, (double)at * bit, line_bit), 1);
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
    uint8_t byte = (uint8_t)buffer[0];
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
        register_lower(avr, &stock->udrc);
    else
        avr_raise_interrupt(chip, &stock->udrc);
}

static void write_status(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    if (value & (stock->txc.raised.mask << stock->txc.raised.bit))
        register_lower(avr, &stock->txc);
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
    register_replace(avr, stock->r_udr, read_data, write_data);
    register_replace(avr, stock->r_ucsra, register_read, write_status);
    register_replace(avr, stock->r_ucsrb, register_read, write_control);
    register_replace(avr, stock->ubrrl.reg, register_read, register_write);
    avr_register_io(avr, &module);
    reset(&module);
}

size_t uart_room(void)
{
    return LINE_SIZE - line.length;
}

size_t uart_feed(const uint8_t *bytes, size_t length)
{
    size_t fed = 0;
    while (fed < length && line.length < LINE_SIZE)
        line.bytes[(line.from + line.length++) % LINE_SIZE] = bytes[fed++];
    uart_kick();
    return fed;
}

void uart_drop(void)
{
    if (line.length)
        line.length = arriving ? 1 : 0; /* the byte under way cannot be called back */
}

int uart_busy(void)
{
    return line.length || buffered || shift_waits || sending;
}

const struct uart_counts *uart_counted(void)
{
    return &counts;
}

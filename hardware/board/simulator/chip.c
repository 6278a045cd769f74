/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "avr_eeprom.h"
#include "avr_ioport.h"
#include "avr_watchdog.h"
#include "chip.h"
#include "sim_elf.h"
#include "sim_hex.h"
#include "sim_regbit.h"
#include "strip.h"
#include "uart.h"

#define MS           (CHIP_HZ / 1000)
#define BUTTON_BIT   2
#define RJMP_TO_SELF 0xCFFF
#define START_UP     (65 * MS + 16384 + 14) /* after any reset, by the fuses of a Nano or Uno (SUT 11, CKSEL 1111) */

static avr_t *avr;
static const char *bootloader;
static const char *reset_why;
static void (*tell_reset)(const char *why);
static uint32_t hung_at;
static uint8_t hung_code[2];

void chip_unhang(void)
{
    if (hung_at)
        memcpy(avr->flash + hung_at, hung_code, sizeof hung_code);
    hung_at = 0;
}

static void chip_was_reset(avr_io_t *io)
{
    (void)io;
    chip_unhang();
    /* A reset lets go of the pull-ups, but simavr's pins remember their level and would not rise again. */
    for (int pin = BUTTON_BIT; pin < BUTTON_BIT + 4; pin++)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(CHIP_PORT), pin), 0);
    tell_reset(reset_why ? reset_why : "watchdog");
    reset_why = NULL;
    if (bootloader) {
        uart_drop(); /* nobody hears what is said meanwhile */
        avr->cycle += START_UP;
    }
}

void chip_tell_resets(void (*tell)(const char *why))
{
    static avr_io_t witness = {.kind = "witness", .reset = chip_was_reset};
    tell_reset = tell;
    avr_register_io(avr, &witness);
}

/* Cells without power come up as their making has it: at random, and much the same each time. */
static void memory_comes_up(void)
{
    uint32_t cell = 0x5EED;
    for (unsigned at = avr->ioend + 1; at <= avr->ramend; at++) {
        cell ^= cell << 13, cell ^= cell >> 17, cell ^= cell << 5;
        avr->data[at] = (uint8_t)cell;
    }
}

void chip_reset(const char *why)
{
    avr_regbit_t flag = avr->reset_flags.extrf;
    if (!strcmp(why, "power")) {
        flag = avr->reset_flags.porf;
        strip_power_off();
        memory_comes_up();
    } else if (!strcmp(why, "brown-out"))
        flag = avr->reset_flags.borf;
    reset_why = why;
    avr_reset(avr);
    avr_regbit_set(avr, flag);
    uart_kick();
}

void chip_button(unsigned number, int down)
{
    static unsigned held;
    held = down ? held | 1u << number : held & ~(1u << number);
    avr_ioport_external_t pull = {.name = CHIP_PORT, .mask = (held << BUTTON_BIT) & 0xFF, .value = 0};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(CHIP_PORT), &pull);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(CHIP_PORT), (int)(BUTTON_BIT + number)), !down);
}

/* The firmware gets stuck where it stands: a jump to itself replaces the next instruction until a reset. */
void chip_hang(void)
{
    if (hung_at)
        return;
    hung_at = avr->pc;
    memcpy(hung_code, avr->flash + hung_at, sizeof hung_code);
    avr->flash[hung_at] = RJMP_TO_SELF & 0xFF;
    avr->flash[hung_at + 1] = RJMP_TO_SELF >> 8;
}

/* The first cells are enough: nothing of ours lies further back. */
static const char *eeprom_file;
static uint8_t eeprom_cells[64];

static void eeprom_load(void)
{
    FILE *file = eeprom_file ? fopen(eeprom_file, "rb") : NULL;
    if (!file)
        return;
    avr_eeprom_desc_t cells = {.ee = eeprom_cells, .size = (uint32_t)fread(eeprom_cells, 1, sizeof eeprom_cells, file)};
    fclose(file);
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &cells);
}

static void eeprom_save(void)
{
    avr_eeprom_desc_t cells = {.ee = eeprom_cells, .size = sizeof eeprom_cells};
    FILE *file = eeprom_file ? fopen(eeprom_file, "wb") : NULL;
    if (!file)
        return;
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &cells);
    fwrite(eeprom_cells, 1, sizeof eeprom_cells, file);
    fclose(file);
}

/* simavr's watchdog keeps its old period until it is fed; a chip takes a new one at once, and Optiboot feeds it no
 * more when it has shortened it. */
static avr_io_write_t write_watchdog;
static void *watchdog;

static void new_period(avr_t *chip, avr_io_addr_t addr, uint8_t value, void *param)
{
    const uint8_t period = 0x27; /* WDP3..0 */
    uint8_t before = chip->data[addr] & period;
    (void)param;
    write_watchdog(chip, addr, value, watchdog);
    if ((chip->data[addr] & period) != before)
        avr_ioctl(chip, AVR_IOCTL_WATCHDOG_RESET, NULL);
}

static void watchdog_attach(void)
{
    avr_io_t *io = avr->io_port;
    while (io && (!io->kind || strcmp(io->kind, "watchdog")))
        io = io->next;
    if (!io)
        return;
    avr_io_addr_t at = AVR_DATA_TO_IO(((avr_watchdog_t *)io)->wdce.reg);
    write_watchdog = avr->io[at].w.c;
    watchdog = avr->io[at].w.param;
    avr->io[at].w.c = new_period;
}

/* As an ISP programmer burns it, with the fuse that starts it (BOOTRST). */
static int burn(const char *file)
{
    ihex_chunk_p chunks = NULL;
    int many = read_ihex_chunks(file, &chunks);
    uint32_t lowest = avr->flashend;
    for (int i = 0; i < many; i++) {
        if (chunks[i].baseaddr + chunks[i].size > avr->flashend + 1)
            return 0;
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
        if (chunks[i].size && chunks[i].baseaddr < lowest)
            lowest = chunks[i].baseaddr;
    }
    avr->reset_pc = lowest;
    avr->codeend = avr->flashend;
    return many > 0;
}

static void log_errors(avr_t *chip, const int level, const char *format, va_list rest)
{
    (void)chip;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, rest);
}

static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip, (void)cycles; /* we keep the time ourselves */
}

avr_t *chip_make(const struct chip_files *files)
{
    avr_global_logger_set(log_errors);
    elf_firmware_t firmware = {0};
    if (access(files->firmware, R_OK) || elf_read_firmware(files->firmware, &firmware)) {
        fprintf(stderr, "simulator: cannot read the firmware %s; build it with `make -C hardware/board`\n", files->firmware);
        return NULL;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || avr_init(avr)) {
        fputs("simulator: this simavr knows no atmega328p\n", stderr);
        return NULL;
    }
    avr->frequency = CHIP_HZ;
    avr->sleep = no_sleep;
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &firmware);
    avr->frequency = CHIP_HZ;
    bootloader = files->bootloader;
    if (bootloader && !burn(bootloader)) {
        fprintf(stderr, "simulator: %s is no bootloader for this chip (Intel HEX)\n", bootloader);
        return NULL;
    }
    eeprom_file = files->eeprom;
    eeprom_load();
    atexit(eeprom_save);
    watchdog_attach();
    return avr;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ATmega328P that simavr plays, made from its files, and what happens to it: resets, buttons, a program that hangs. */
#ifndef CHIP_H
#define CHIP_H

#include "sim_avr.h"

#define CHIP_HZ   16000000ULL
#define CHIP_PORT 'D' /* of the strip and the buttons */

struct chip_files {
    const char *firmware;   /* ELF */
    const char *bootloader; /* Intel HEX; NULL: none */
    const char *eeprom;     /* read at the start, written at the end; NULL: cells are forgotten */
};

/* NULL, and a sentence on stderr, where a file is none or simavr does not know the chip. */
avr_t *chip_make(const struct chip_files *files);
/* Calls `tell` after each reset, also one by the watchdog; once only, after strip and UART are attached. */
void chip_tell_resets(void (*tell)(const char *why));
/* `why`: "power", "brown-out" or "button". */
void chip_reset(const char *why);
void chip_button(unsigned number, int down);
/* The firmware is stuck where it stands, until a reset or `chip_unhang`. */
void chip_hang(void);
void chip_unhang(void);

#endif

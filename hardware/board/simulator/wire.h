/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bytes on a wire as levels (8N1), and what a receiver of another speed takes them for.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#define LINE_SIZE 4096
#define BROKEN    0x100 /* no stop bit where one was due */

/* A ring of bytes that are on their way. */
struct wire {
    uint8_t bytes[LINE_SIZE];
    size_t from, length;
};

/* The first bit from `at` on that begins with a falling edge; -1: there is none. */
long wire_falling_edge(const struct wire *wire, long at);

/* What a receiver with bits of `bit` takes bits of `sent_bit` for, from the falling edge at `edge` on. */
uint16_t wire_sampled(const struct wire *wire, double sent_bit, double edge, double bit);

#endif

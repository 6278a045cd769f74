/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire.h"

/* The level that bytes sent one after the other have on the wire in their bit number `at`. */
static int level(const struct wire *wire, long at)
{
    if (at < 0 || at >= (long)wire->length * 10)
        return 1;
    unsigned bit = at % 10, byte = wire->bytes[(wire->from + (size_t)at / 10) % LINE_SIZE];
    return bit == 0 ? 0 : bit == 9 ? 1 : byte >> (bit - 1) & 1;
}

long wire_falling_edge(const struct wire *wire, long at)
{
    for (; at < (long)wire->length * 10; at++)
        if (level(wire, at - 1) && !level(wire, at))
            return at;
    return -1;
}

uint16_t wire_sampled(const struct wire *wire, double sent_bit, double edge, double bit)
{
    uint16_t byte = 0;
    for (int i = 0; i < 8; i++)
        byte |= (uint16_t)(level(wire, (long)((edge + (1.5 + i) * bit) / sent_bit)) << i);
    return level(wire, (long)((edge + 9.5 * bit) / sent_bit)) ? byte : byte | BROKEN;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strip.h"

#include <string.h>

#include "avr_ioport.h"

/* WS2812B data sheet (Worldsemi), in ns: T0H 400, T1H 800, T0L 850, T1L 450, each +-150; RES above 50 us. */
static const unsigned high_ns[2] = {400, 800}, low_ns[2] = {850, 450};
#define TOLERANCE_NS 150
#define THRESHOLD_NS 600
#define LATCH_NS     50000

static avr_t *avr;
static unsigned length;
static uint32_t colours[STRIP_MAX], coming[STRIP_MAX];
static struct strip_write now;
static void (*report)(const struct strip_write *);
static int level, last_bit;
static avr_cycle_count_t rose, fell;

static unsigned ns(avr_cycle_count_t cycles)
{
    return (unsigned)(cycles * 1000000ULL / (avr->frequency / 1000));
}

static void judge(avr_cycle_count_t cycles, unsigned wanted_ns, unsigned *min, unsigned *max)
{
    if (ns(cycles) + TOLERANCE_NS < wanted_ns || ns(cycles) > wanted_ns + TOLERANCE_NS)
        now.violations++;
    if (!*min || cycles < *min)
        *min = (unsigned)cycles;
    if (cycles > *max)
        *max = (unsigned)cycles;
}

static void latch(void)
{
    unsigned lamps = now.bits / 24;
    if (now.bits % 24)
        now.violations++;
    for (unsigned i = 0; i < lamps && i < length; i++) { /* the wire carries green, red, blue */
        uint32_t grb = coming[i];
        colours[i] = (grb >> 8 & 0xFF) << 16 | (grb >> 16 & 0xFF) << 8 | (grb & 0xFF);
    }
    report(&now);
    memset(&now, 0, sizeof now);
}

static void edge(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    int high = value & 1;
    if (high == level)
        return;
    level = high;
    if (high) {
        if (now.bits && ns(avr->cycle - fell) >= LATCH_NS)
            latch();
        if (now.bits)
            judge(avr->cycle - fell, low_ns[last_bit], &now.low_min[last_bit], &now.low_max[last_bit]);
        else
            now.first_edge = avr->cycle;
        rose = avr->cycle;
        return;
    }
    if (!now.first_edge) /* the pin fell without ever having risen */
        return;
    fell = now.last_edge = avr->cycle;
    last_bit = ns(fell - rose) >= THRESHOLD_NS;
    judge(fell - rose, high_ns[last_bit], &now.high_min[last_bit], &now.high_max[last_bit]);
    unsigned lamp = now.bits++ / 24;
    if (lamp < length) /* what lies beyond the last lamp leaves the strip at its open end */
        coming[lamp] = (coming[lamp] << 1 | (uint32_t)last_bit) & 0xFFFFFF;
}

void strip_attach(avr_t *chip, char port, int bit, unsigned lamps, void (*latched)(const struct strip_write *))
{
    avr = chip;
    length = lamps < STRIP_MAX ? lamps : STRIP_MAX;
    report = latched;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit), edge, NULL);
}

void strip_tick(void)
{
    if (now.bits && !level && ns(avr->cycle - fell) >= LATCH_NS)
        latch();
}

int strip_busy(void)
{
    return now.bits != 0;
}

void strip_power_off(void)
{
    memset(colours, 0, sizeof colours);
    memset(&now, 0, sizeof now);
}

unsigned strip_lamps(void)
{
    return length;
}

uint32_t strip_colour(unsigned lamp)
{
    return colours[lamp];
}

#include "events.h"

#include "board.h"
#include "crc.h"
#include "protocol.h"

#define QUEUE 8 /* a power of two */

static struct {
    uint16_t boot;
    uint8_t boot_known;
    uint8_t last, waiting; /* the oldest one waiting has number last + 1 */
    uint8_t missed;
    uint8_t down; /* buttons, as they were told */
    struct {
        uint8_t kind, value;
    } queue[QUEUE];
} mind KEPT;
static uint16_t seal KEPT; /* a reset in the middle of a change leaves a wrong one: rather forgotten than told twice */

static uint16_t sum(void)
{
    const uint8_t *bytes = (const uint8_t *)&mind;
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < sizeof mind; i++)
        crc = crc16(crc, bytes[i]);
    return crc;
}

uint8_t events_start(void)
{
    if (seal == sum())
        return 1;
    uint8_t *bytes = (uint8_t *)&mind;
    for (uint8_t i = 0; i < sizeof mind; i++)
        bytes[i] = 0;
    seal = sum();
    return 0;
}

static void add(uint8_t kind, uint8_t value)
{
    if (mind.missed || mind.waiting == QUEUE) { /* the last place says how many there would have been */
        if (mind.missed != UINT8_MAX)
            mind.missed++;
        return;
    }
    uint8_t at = (uint8_t)(mind.last + mind.waiting) % QUEUE;
    mind.queue[at].kind = kind;
    mind.queue[at].value = value;
    mind.waiting++;
}

void events_add(uint8_t kind, uint8_t value)
{
    uint8_t bit = (uint8_t)(1 << (value & 7));
    if (kind == PRESSED)
        mind.down |= bit;
    else if (kind == RELEASED)
        mind.down &= (uint8_t)~bit;
    add(kind, value);
    seal = sum();
}

void events_found_down(uint8_t buttons)
{
    mind.down = buttons;
    seal = sum();
}

uint8_t buttons_down(void)
{
    return mind.down;
}

uint8_t events_oldest(struct told *event)
{
    if (!mind.waiting && mind.missed) {
        uint8_t many = mind.missed;
        mind.missed = 0;
        add(MISSED, many);
        seal = sum();
    }
    event->number = mind.last + 1;
    event->kind = mind.queue[mind.last % QUEUE].kind;
    event->value = mind.queue[mind.last % QUEUE].value;
    return mind.waiting;
}

void events_heard(uint8_t number)
{
    if (!mind.waiting || number != (uint8_t)(mind.last + 1))
        return;
    mind.last++;
    mind.waiting--;
    seal = sum();
}

uint8_t events_last(void)
{
    return mind.last;
}

/* Asked for when somebody greets, not at the start: a board whose supply fails ten times a second must not wear out
 * the memory that it counts in. */
uint16_t events_boot(void)
{
    if (!mind.boot_known) {
        mind.boot = memory_boot();
        mind.boot_known = 1;
        seal = sum();
    }
    return mind.boot;
}

#include "events.h"

#include "protocol.h"

#define QUEUE 8 /* a power of two */

static struct {
    uint8_t kind, value;
} queue[QUEUE];
static uint8_t last, waiting; /* the oldest one waiting has number last + 1 */
static uint8_t missed;

void events_add(uint8_t kind, uint8_t value)
{
    if (missed || waiting == QUEUE) { /* the last place says how many there would have been */
        if (missed != UINT8_MAX)
            missed++;
        return;
    }
    uint8_t at = (uint8_t)(last + waiting) % QUEUE;
    queue[at].kind = kind;
    queue[at].value = value;
    waiting++;
}

uint8_t events_oldest(struct told *event)
{
    if (!waiting && missed) {
        uint8_t many = missed;
        missed = 0;
        events_add(MISSED, many);
    }
    event->number = last + 1;
    event->kind = queue[last % QUEUE].kind;
    event->value = queue[last % QUEUE].value;
    return waiting;
}

void events_heard(uint8_t number)
{
    if (!waiting || number != (uint8_t)(last + 1))
        return;
    last++;
    waiting--;
}

uint8_t events_last(void)
{
    return last;
}

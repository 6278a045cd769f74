#include "buttons.h"

#include <avr/io.h>

#include "config.h"
#include "events.h"
#include "protocol.h"
#include "start.h"

static uint8_t forgot; /* who is down now may have been told already: a finger that outlasts the power is no press */

void buttons_start(uint8_t remembered)
{
    forgot = !remembered;
    BUTTON_PORT |= BUTTON_MASK << BUTTON_SHIFT; /* pull-ups */
}

static void tell(uint8_t now)
{
    uint8_t down = buttons_down();
    if (forgot) {
        forgot = 0;
        events_found_down(now);
        return;
    }
    for (uint8_t button = 0; button < 8; button++) {
        uint8_t bit = 1 << button;
        if ((now ^ down) & bit)
            events_add(now & bit ? PRESSED : RELEASED, button);
    }
}

void buttons_tick(uint32_t now_ms)
{
    static uint32_t sampled_ms;
    static uint8_t last, equal;
    if (now_ms - sampled_ms < BUTTON_SAMPLE_MS)
        return;
    sampled_ms = now_ms;
    uint8_t now = (uint8_t)~(BUTTON_PIN >> BUTTON_SHIFT) & BUTTON_MASK;
    if (now != last) {
        last = now;
        equal = 0;
    } else if (equal < 3 && ++equal == 3)
        tell(now);
}

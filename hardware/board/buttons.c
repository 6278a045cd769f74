#include "buttons.h"

#include "config.h"

static uint8_t down, pressed;

void buttons_start(void)
{
    BUTTON_PORT |= BUTTON_MASK << BUTTON_SHIFT; /* pull-ups */
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
    } else if (equal < 3 && ++equal == 3) {
        pressed |= now & (uint8_t)~down;
        down = now;
    }
}

uint8_t buttons_take(void)
{
    uint8_t report = down | (uint8_t)(pressed << 4);
    pressed = 0;
    return report;
}

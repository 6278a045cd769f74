#include "lamps.h"

#include <string.h>

#include "board.h"
#include "crc.h"
#include "times.h"

static uint8_t picture[LAMPS_MAX * 3 + 1]; /* green, red, blue; one spare byte that strip_write may read */
static uint8_t used;
static uint8_t wired = LAMPS_MAX; /* as far as anything may be lit: a shorter picture must darken the rest */
static uint32_t drive;            /* sum of all colours: kept up to date, so that a frame costs nothing more */

void lamps_use(uint8_t count)
{
    memset(picture, 0, sizeof picture); /* all of it: the glow is no part of anybody's picture */
    drive = 0;
    if (count > wired)
        wired = count;
    used = count;
}

uint8_t lamps_count(void)
{
    return used;
}

void lamps_set(uint8_t at, const uint8_t *rgb)
{
    uint8_t *lamp = picture + 3 * (uint16_t)at;
    drive += (uint16_t)(rgb[0] + rgb[1] + rgb[2]);
    drive -= (uint16_t)(lamp[0] + lamp[1] + lamp[2]);
    lamp[0] = rgb[1];
    lamp[1] = rgb[0];
    lamp[2] = rgb[2];
}

void lamps_fill(uint8_t red, uint8_t green, uint8_t blue)
{
    const uint8_t rgb[3] = {red, green, blue};
    for (uint8_t at = 0; at < used; at++)
        lamps_set(at, rgb);
}

void lamps_fade(void)
{
    drive = 0;
    for (uint16_t i = 0; i < LAMPS_MAX * 3; i++)
        drive += picture[i] -= (picture[i] + 3) / 4;
}

void lamps_show(void)
{
    strip_write(picture, 3 * (uint16_t)wired);
    wired = used ? used : 1;
}

uint16_t lamps_ma(void)
{
    return (uint16_t)(used * IDLE_MA + (drive * CHANNEL_MA + 254) / 255);
}

uint16_t lamps_crc(void)
{
    uint16_t crc = CRC_START;
    const uint8_t *end = picture + 3 * (uint16_t)used;
    for (const uint8_t *lamp = picture; lamp < end; lamp += 3)
        crc = crc16(crc16(crc16(crc, lamp[1]), lamp[0]), lamp[2]);
    return crc;
}

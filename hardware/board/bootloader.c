#include "bootloader.h"

#include <avr/pgmspace.h>

#include "protocol.h"

#define NOTHING 0xFF /* flash that nobody has written */
#define VERSION (FLASHEND - 1) /* Optiboot: minor, major, in the last two bytes */
#define OLD     (FLASHEND - 2047) /* ATmegaBOOT fills a section of 2 KB */

static uint8_t optiboot_major(void)
{
    return pgm_read_byte(VERSION) == NOTHING ? 0 : pgm_read_byte(VERSION + 1);
}

uint8_t bootloader_feature(void)
{
    if (optiboot_major())
        return FEATURE_OPTIBOOT;
    return pgm_read_byte(OLD) == NOTHING ? 0 : FEATURE_OLD_BOOTLOADER;
}

uint8_t bootloader_tells(void)
{
    return optiboot_major() >= 5;
}

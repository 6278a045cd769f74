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

/* What its loop keeps in registers while it listens: the commands of self-programming (avr/boot.h: fill, erase, write,
 * enable). No reset clears a register. */
uint8_t bootloader_listened(const uint8_t *registers)
{
    static const uint8_t constants[] PROGMEM = {1, 3, 5, 0x11};
    for (uint8_t i = 0; i < sizeof constants; i++) {
        uint8_t constant = pgm_read_byte(constants + i), at = 0;
        while (registers[at] != constant)
            if (++at == LEFT_REGISTERS)
                return 0;
    }
    return 1;
}

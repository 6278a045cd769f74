/* Which program runs before this one after a reset. */
#ifndef BOOTLOADER_H
#define BOOTLOADER_H

#include <stdint.h>

uint8_t bootloader_feature(void); /* FEATURE_OPTIBOOT, FEATURE_OLD_BOOTLOADER, or 0: none that we know */
uint8_t bootloader_tells(void);   /* does it leave in r2 what it found in MCUSR? Optiboot does since version 5 */

#define LEFT_REGISTERS 10
uint8_t bootloader_listened(const uint8_t *registers); /* r8 to r17 as it has left them */

#endif

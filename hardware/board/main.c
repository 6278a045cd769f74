/* The lamp board: a picture comes in, the strip is written, the answer goes out. Asleep in between. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "bootloader.h"
#include "buttons.h"
#include "clock.h"
#include "config.h"
#include "events.h"
#include "lamps.h"
#include "memory.h"
#include "protocol.h"
#include "start.h"
#include "uart.h"

#define BITTEN 0xB17E
#define LISTENS 0x0B07

static uint8_t mcusr KEPT, left_in_r2 KEPT, left[LEFT_REGISTERS] KEPT;
static uint16_t bitten KEPT;  /* by our own watchdog */
static uint16_t listens KEPT; /* Optiboot was seen to leave a trace when it has listened */

/* Before anything else: after a watchdog reset the watchdog runs on with 15 ms. */
void remember_reset(void) __attribute__((naked, used, section(".init3")));
void remember_reset(void)
{
    uint8_t from_bootloader;
    /* Cleared, so that what a bootloader left is not found once more after the next reset. */
    __asm__ volatile(".irp n, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n sts %0+\\n-8, r\\n\n clr r\\n\n .endr" ::"i"(left) : "memory");
    __asm__ volatile("mov %0, r2" : "=r"(from_bootloader));
    left_in_r2 = from_bootloader;
    mcusr = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* Optiboot listens after the reset pin only, and after a brown-out it starts us straight. 0: nobody knows which, for
 * this one has not shown yet that it leaves a trace (it does when its port is opened first). */
static uint8_t pin_or_supply(uint8_t remembered)
{
    if (!remembered)
        listens = 0;
    if (bootloader_listened(left)) {
        listens = LISTENS;
        return _BV(EXTRF);
    }
    return listens == LISTENS ? _BV(BORF) : 0;
}

/* Optiboot clears MCUSR and starts us by a watchdog reset of its own; what it does not tell, our memory does. */
static uint8_t why_reset(uint8_t remembered)
{
    uint8_t told = mcusr ? mcusr : bootloader_tells() ? left_in_r2 & 0x0F : 0, seen = 0;
    if (bootloader_feature() == FEATURE_OPTIBOOT) {
        seen = pin_or_supply(remembered);
        if (bitten != BITTEN)
            told &= (uint8_t)~_BV(WDRF);
    }
    if (!told)
        told = !remembered ? _BV(PORF) : bitten == BITTEN ? _BV(WDRF) : seen;
    bitten = 0;
    return told;
}

/* The main loop hangs. A reset, unless the bootloader would never come out of it: then from the beginning without one. */
ISR(WDT_vect)
{
    bitten = BITTEN;
    if (bootloader_feature() == FEATURE_OLD_BOOTLOADER) {
        wdt_disable();
        __asm__ volatile("jmp 0");
    }
    wdt_enable(WDTO_15MS);
    for (;;)
        ;
}

static void sleep_until_interrupt(void)
{
    cli();
    if (!uart_waiting()) {
        sleep_enable();
        sei(); /* takes effect after the next instruction: no byte can slip in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    wdt_enable(WDTO_500MS);
    WDTCSR |= _BV(WDIE); /* once: the interrupt first */
    set_sleep_mode(SLEEP_MODE_IDLE);
    clock_start();
    memory_start();
    uint8_t remembered = events_start();
    buttons_start(remembered);
    strip_start();
    lamps_show(); /* after a reset the strip still holds the last picture */
    protocol_start(why_reset(remembered));
    uart_start();
    sei();
    for (;;) {
        wdt_reset();
        uint32_t now_ms = clock_ms();
        buttons_tick(now_ms);
        protocol_tick(now_ms);
        protocol_listen();
        sleep_until_interrupt();
    }
}

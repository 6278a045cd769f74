/* The lamp board: a picture comes in, the strip is written, the answer goes out. Asleep in between. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "buttons.h"
#include "clock.h"
#include "lamps.h"
#include "memory.h"
#include "protocol.h"
#include "start.h"
#include "uart.h"

static uint8_t reset_cause __attribute__((section(".noinit")));

/* Before anything else: after a watchdog reset the watchdog runs on with 15 ms. */
void remember_reset(void) __attribute__((naked, used, section(".init3")));
void remember_reset(void)
{
    uint8_t from_bootloader;
    __asm__ volatile("mov %0, r2" : "=r"(from_bootloader)); /* Optiboot clears MCUSR and leaves it in r2 */
    reset_cause = MCUSR ? MCUSR : from_bootloader & 0x0F;
    MCUSR = 0;
    wdt_disable();
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
    set_sleep_mode(SLEEP_MODE_IDLE);
    clock_start();
    memory_start();
    buttons_start();
    strip_start();
    lamps_show(); /* after a reset the strip still holds the last picture */
    protocol_start(reset_cause);
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

/* What a tinkerer may want to change: pins, strip, times. Everything else follows from it. */
#ifndef CONFIG_H
#define CONFIG_H

#define BAUD_RATE 500000UL /* 16 MHz / 8 / 500000 = 4 exactly; 115200 would be off by 2 % */

/* The strip's data line. Change all three together. */
#define LAMP_PORT PORTD
#define LAMP_DDR  DDRD
#define LAMP_BIT  PD6 /* Arduino "D6" */

/* 3 bytes of RAM a lamp; 150 leave half of the 2 KB free for the stack. */
#define LAMPS_MAX 150

/* Four push buttons to ground, internal pull-ups: Arduino D2..D5. */
#define BUTTON_PORT  PORTD
#define BUTTON_PIN   PIND
#define BUTTON_SHIFT PD2
#define BUTTON_MASK  0x0F
#define BUTTON_SAMPLE_MS 5 /* four equal samples make a press: 15 to 20 ms */

/* WS2812B latches after 50 us of low (data sheet 2013), newer revisions after 280 us. */
#define LATCH_US 300

/* Memory that a reset leaves alone; neither bootloader comes so far up. */
#define KEPT __attribute__((section(".noinit")))

/* What WELCOME says that this board can do beyond lamps. */
#define FEATURES (FEATURE_BUTTONS | FEATURE_SERIAL | FEATURE_WATCHDOG | bootloader_feature())
#ifndef __ASSEMBLER__
#include "bootloader.h"
#endif

#endif

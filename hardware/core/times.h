/* How every board behaves, in time and current; firmware_bridge/transports/loopback.py does the same. */
#ifndef TIMES_H
#define TIMES_H

/* No valid frame for so long: fade, forget the host, glow. */
#define SILENCE_MS   1000
#define FADE_STEPS   16
#define FADE_STEP_MS 40
#define ASLEEP_BLUE  8 /* lamp 0 alone: "the board lives, nobody talks to it" */

/* An event that nobody has acknowledged is told again. */
#define EVENT_AGAIN_MS 50

/* WS2812B: up to 20 mA a colour at 255, 1 mA for the controller. */
#define CHANNEL_MA 20
#define IDLE_MA    1

#endif

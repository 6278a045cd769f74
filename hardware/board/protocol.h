/* The words on the wire. firmware_bridge/messages.py says the same in Python; a test holds them together.
 *
 * A frame on the wire:  0x00  COBS( type seq length payload... crc_high crc_low )  0x00
 * `length` counts the payload. CRC-16/CCITT-FALSE over type..payload; by itself it would not notice that a
 * zero at the end was lost. Numbers of more than one byte are big-endian.
 * The host sends one request and waits for its answer (same seq, type | ANSWER), or repeats it.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

enum {
    PROTOCOL_VERSION = 1,
    FRAME_MAX = 250,    /* bytes before COBS, CRC included */
    SET_LAMPS_MAX = 80, /* lamps in one SET */
};

enum request {
    HELLO = 0x01, /* protocol, lamps            -> protocol, capacity, cause, buttons, uptime_ms(4), build(4), bad_frames(2), overruns(2) */
    SET = 0x02,   /* flags, first, rgb...       -> buttons */
    SHOW = 0x03,  /*                            -> buttons; answered after the strip was written */
    FILL = 0x04,  /* flags, r, g, b             -> buttons */
    OFF = 0x05,   /*                            -> buttons; all dark, written at once */
    PING = 0x06,  /*                            -> buttons, uptime_ms(4), bad_frames(2), overruns(2) */
};

enum {
    ANSWER = 0x80, /* type of an answer = type of its request | ANSWER */
    REFUSED = 0xFF, /* why, expected_seq */
    LATCH = 0x01,  /* flag of SET and FILL: write the strip, then answer */
};

enum refusal {
    NOT_GREETED = 1,  /* board was reset or fell asleep: say HELLO, send the whole picture */
    OUT_OF_ORDER = 2, /* seq is neither the next nor the last one */
    BAD_FRAME = 3,    /* COBS or CRC wrong: send it again */
    UNKNOWN = 4,
    BAD_LENGTH = 5,
    OUT_OF_RANGE = 6, /* lamps beyond the strip */
};

/* Take one byte from the wire; answers go out when a frame is complete. */
void protocol_take(uint8_t byte);

/* To be called often: falls asleep when the host has been silent. */
void protocol_tick(uint32_t now_ms);

/* Once, before the first byte. */
void protocol_start(uint8_t reset_cause);

#endif

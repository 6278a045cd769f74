/* The words on the wire. firmware_bridge/messages.py says the same in Python; a test holds them together.
 *
 * A frame on the wire:  0x00  COBS( type seq length payload... crc_high crc_low )  0x00
 * `length` counts the payload. CRC-16/CCITT-FALSE over type..payload; by itself it would not notice that a
 * zero at the end was lost. Numbers of more than one byte are big-endian.
 * The host may have several frames under way: as many bytes behind the oldest one as the board has `room`
 * for. The board does them in order and only in order; an answer's seq is the last frame done, and answers
 * for all before it too. The protocol knows no pin and no chip: board.h says what it asks of one.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdint.h>

enum {
    PROTOCOL_VERSION = 2,
    FRAME_MAX = 122, /* bytes before COBS, CRC included, that this board takes: 38 lamps; two fit into its ring */
};

enum request {
    HELLO = 0x01,  /* protocol, lamps(2), budget_ma(2) -> WELCOME */
    SET = 0x02,    /* flags, first(2), rgb...          -> ACK */
    SHOW = 0x03,   /*                                  -> ACK; answered after the strip was written */
    FILL = 0x04,   /* flags, r, g, b                   -> ACK */
    OFF = 0x05,    /*                                  -> ACK; all dark, written at once */
    PING = 0x06,   /* flags                            -> PONG */
    HEARD = 0x07,  /* seq = number of the event that was heard; has no place in the order and no answer */
    SERIAL = 0x08, /* serial(4)                        -> ACK; kept in the EEPROM */
};

enum answer {
    ACK = 0x80,
    WELCOME = 0x81, /* protocol, cause, features, buttons, capacity(2), room(2), frame_max(2), boot(2), uptime_ms(4),
                       build(4), serial(4), bad_frames(2), overruns(2), last_event */
    PONG = 0x86,    /* uptime_ms(4), bad_frames(2), overruns(2), picture_crc(2) */
    EVENT = 0x90,   /* kind, value; seq = its number; told again until HEARD */
    REFUSED = 0xFF, /* why, expected_seq */
};

enum {
    LATCH = 0x01, /* flag of SET, FILL, PING: write the strip, then answer */
};

enum refusal {
    NOT_GREETED = 1,  /* board was reset or fell asleep: say HELLO, send the whole picture */
    OUT_OF_ORDER = 2, /* seq is not the next one: go on with expected_seq */
    BAD_FRAME = 3,    /* COBS, CRC or length wrong, its seq unknown: go on with expected_seq */
    UNKNOWN = 4,
    BAD_LENGTH = 5,
    OUT_OF_RANGE = 6, /* lamps beyond the strip */
    OVER_BUDGET = 7,  /* the picture would draw more than HELLO's budget_ma: the strip is not written */
};

enum feature {
    FEATURE_BUTTONS = 0x01,
    FEATURE_SERIAL = 0x02,   /* keeps a serial number */
    FEATURE_WATCHDOG = 0x04,
    FEATURE_OPTIBOOT = 0x08,       /* starts through Optiboot */
    FEATURE_OLD_BOOTLOADER = 0x10, /* starts through another bootloader, which may not know the watchdog */
};

enum event {
    PRESSED = 1,  /* button */
    RELEASED = 2, /* button */
    OVERRUN = 3,  /* received bytes were lost; value 0 */
    MISSED = 4,   /* events came faster than the host heard them; value = how many are lost, up to 255 */
};

/* Take what has come over the wire; answers go out when a frame is complete. */
void protocol_listen(void);

/* To be called often: tells events, falls asleep when the host has been silent. */
void protocol_tick(uint32_t now_ms);

/* Once, before the first byte. */
void protocol_start(uint8_t reset_cause);

#endif

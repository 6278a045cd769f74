#include "protocol.h"

#include <string.h>

#include "buttons.h"
#include "clock.h"
#include "cobs.h"
#include "config.h"
#include "crc.h"
#include "lamps.h"
#include "uart.h"

#define HEAD 3 /* type, seq, length */
#define TAIL 2 /* crc */
#define ANSWER_MAX (HEAD + 16 + TAIL)

/* The frame that is coming in, decoded and summed up byte by byte: when it ends, it is ready. */
static uint8_t frame[FRAME_MAX];
static uint8_t collected, heard_any, too_long;
static struct cobs reader;
static uint16_t crc = CRC_START;

static uint8_t answer[ANSWER_MAX]; /* kept: a repeated request is answered again, not executed again */
static uint8_t answer_length;

static uint8_t greeted, last_seq, cause;
static uint16_t bad_frames;
static uint32_t heard_ms;

static enum { AWAKE, FADING, ASLEEP } rest = ASLEEP;
static uint8_t fade_step;
static uint32_t faded_ms;

static void send(const uint8_t *bytes, uint8_t length)
{
    static uint8_t wire[ANSWER_MAX + 4];
    wire[0] = 0; /* ends whatever noise the host has collected */
    uint8_t end = 1 + cobs_encode(bytes, length, wire + 1);
    wire[end++] = 0;
    uart_send(wire, end);
}

static uint8_t seal(uint8_t *bytes, uint8_t length)
{
    bytes[2] = length - HEAD;
    uint16_t sum = CRC_START;
    for (uint8_t i = 0; i < length; i++)
        sum = crc16(sum, bytes[i]);
    bytes[length++] = sum >> 8;
    bytes[length++] = (uint8_t)sum;
    return length;
}

static void begin(uint8_t type, uint8_t seq)
{
    answer[0] = type;
    answer[1] = seq;
    answer_length = HEAD;
}

static void add(uint32_t value, uint8_t bytes)
{
    while (bytes--)
        answer[answer_length++] = (uint8_t)(value >> (8 * bytes));
}

static void refuse(uint8_t why)
{
    answer[0] = REFUSED;
    answer_length = HEAD;
    add(why, 1);
    add((uint8_t)(last_seq + 1), 1);
}

/* A refusal that is not the answer to an accepted request: the kept answer stays as it is. */
static void turn_away(uint8_t seq, uint8_t why)
{
    uint8_t bytes[HEAD + 2 + TAIL] = {REFUSED, seq, 2, why, (uint8_t)(last_seq + 1)};
    send(bytes, seal(bytes, HEAD + 2));
}

static void hello(const uint8_t *payload)
{
    lamps_use(payload[1] < LAMPS_MAX ? payload[1] : LAMPS_MAX);
    greeted = 1;
    rest = AWAKE;
    add(PROTOCOL_VERSION, 1);
    add(LAMPS_MAX, 1);
    add(cause, 1);
    add(buttons_take(), 1);
    add(clock_ms(), 4);
    add(BUILD_ID, 4);
    add(bad_frames, 2);
    add(uart_overruns(), 2);
}

static void done(uint8_t latch)
{
    if (latch)
        lamps_show();
    add(buttons_take(), 1);
}

static void set(const uint8_t *payload, uint8_t length)
{
    if (length < 5 || (length - 2) % 3) {
        refuse(BAD_LENGTH);
        return;
    }
    uint8_t first = payload[1], lamps = (length - 2) / 3;
    if (lamps > lamps_count() || first > lamps_count() - lamps) {
        refuse(OUT_OF_RANGE);
        return;
    }
    for (uint8_t i = 0; i < lamps; i++)
        lamps_set(first + i, payload + 2 + 3 * i);
    done(payload[0] & LATCH);
}

static uint8_t length_is(uint8_t length, uint8_t wanted)
{
    if (length != wanted)
        refuse(BAD_LENGTH);
    return length == wanted;
}

static void execute(uint8_t type, const uint8_t *payload, uint8_t length)
{
    switch (type) {
    case HELLO: hello(payload); break;
    case SET: set(payload, length); break;
    case SHOW:
        if (length_is(length, 0))
            done(LATCH);
        break;
    case FILL:
        if (length_is(length, 4)) {
            lamps_fill(payload[1], payload[2], payload[3]);
            done(payload[0] & LATCH);
        }
        break;
    case OFF:
        if (length_is(length, 0)) {
            lamps_fill(0, 0, 0);
            done(LATCH);
        }
        break;
    case PING:
        if (length_is(length, 0)) {
            add(buttons_take(), 1);
            add(clock_ms(), 4);
            add(bad_frames, 2);
            add(uart_overruns(), 2);
        }
        break;
    default: refuse(UNKNOWN);
    }
}

static void receive(void)
{
    uint8_t length = collected - HEAD - TAIL;
    if (collected < HEAD + TAIL || frame[2] != length || too_long || crc || !cobs_complete(&reader)) {
        if (bad_frames != UINT16_MAX)
            bad_frames++;
        turn_away(0, BAD_FRAME);
        return;
    }
    uint8_t type = frame[0], seq = frame[1];
    heard_ms = clock_ms();
    if (type == HELLO) { /* always welcome; further bytes are ignored, so that later protocols can still greet */
        if (length < 2) {
            turn_away(seq, BAD_LENGTH);
            return;
        }
    } else if (!greeted) {
        turn_away(seq, NOT_GREETED);
        return;
    } else if (seq == last_seq) {
        send(answer, answer_length);
        return;
    } else if (seq != (uint8_t)(last_seq + 1)) {
        turn_away(seq, OUT_OF_ORDER);
        return;
    }
    last_seq = seq;
    begin(type | ANSWER, seq);
    execute(type, frame + HEAD, length);
    answer_length = seal(answer, answer_length);
    send(answer, answer_length);
}

void protocol_take(uint8_t byte)
{
    if (byte) {
        uint8_t decoded;
        heard_any = 1;
        if (!cobs_take(&reader, byte, &decoded))
            return;
        crc = crc16(crc, decoded);
        if (collected < sizeof frame)
            frame[collected++] = decoded;
        else
            too_long = 1;
        return;
    }
    if (heard_any) /* two delimiters in a row are no frame */
        receive();
    collected = heard_any = too_long = 0;
    reader = (struct cobs){0};
    crc = CRC_START;
}

static void glow(void)
{
    static const uint8_t dim[3] = {0, 0, ASLEEP_BLUE};
    lamps_fill(0, 0, 0);
    lamps_set(0, dim);
    lamps_show();
}

void protocol_tick(uint32_t now_ms)
{
    if (rest == AWAKE && now_ms - heard_ms >= SILENCE_MS) {
        rest = FADING;
        greeted = 0; /* whoever comes back must send the whole picture */
        fade_step = 0;
        faded_ms = now_ms - FADE_STEP_MS;
    }
    if (rest == FADING && now_ms - faded_ms >= FADE_STEP_MS) {
        faded_ms = now_ms;
        lamps_fade();
        if (++fade_step < FADE_STEPS)
            lamps_show();
        else {
            rest = ASLEEP;
            glow();
        }
    }
}

void protocol_start(uint8_t reset_cause)
{
    cause = reset_cause;
    glow();
}

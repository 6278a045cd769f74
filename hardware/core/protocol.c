#include "protocol.h"

#include "answers.h"
#include "board.h"
#include "cobs.h"
#include "crc.h"
#include "events.h"
#include "lamps.h"
#include "times.h"

#define FURTHER 128 /* half of the numbers lie ahead, half behind */
#define UNSHOWN (FADE_STEPS - 1) /* the picture in RAM was refused or is not finished: it must not fade */

/* The frame that is coming in, decoded and summed up byte by byte: when it ends, it is ready. */
static uint8_t frame[FRAME_MAX];
static uint8_t collected, heard_any, too_long;
static struct cobs reader;
static uint16_t crc = CRC_START;

static uint8_t greeted, last_seq, cause;
static uint16_t budget_ma, bad_frames, told_overruns;
static uint32_t heard_ms;

static uint8_t told;    /* the event that was told last: it is not told again at once */
static uint32_t told_ms;

static enum { AWAKE, FADING, ASLEEP } rest = ASLEEP;
static uint8_t fade_step; /* while awake: where the fade would begin */
static uint32_t faded_ms;

/* Nothing was done: the number of a refused frame is still expected. */
static void refuse(uint8_t seq, uint8_t why)
{
    answer_begin(REFUSED, seq);
    answer_add(why, 1);
    answer_add((uint8_t)(last_seq + 1), 1);
    answer_send();
}

static void acknowledge(void)
{
    answer_begin(ACK, last_seq);
    answer_send();
}

static void hello(const uint8_t *payload)
{
    uint16_t lamps = (uint16_t)payload[1] << 8 | payload[2];
    lamps_use(lamps < LAMPS_MAX ? lamps : LAMPS_MAX);
    budget_ma = (uint16_t)payload[3] << 8 | payload[4];
    fade_step = UNSHOWN;
    greeted = 1;
    rest = AWAKE;
    told = events_last(); /* whoever greets hears at once what he may not have heard */
    answer_begin(WELCOME, last_seq);
    answer_add(PROTOCOL_VERSION, 1);
    answer_add(cause, 1);
    answer_add(FEATURES, 1);
    answer_add(buttons_down(), 1);
    answer_add(LAMPS_MAX, 2);
    answer_add(UART_ROOM, 2);
    answer_add(FRAME_MAX, 2);
    answer_add(events_boot(), 2);
    answer_add(clock_ms(), 4);
    answer_add(BUILD_ID, 4);
    answer_add(memory_serial(), 4);
    answer_add(bad_frames, 2);
    answer_add(uart_overruns(), 2);
    answer_add(events_last(), 1);
    answer_send();
}

static void pong(void)
{
    answer_begin(PONG, last_seq);
    answer_add(clock_ms(), 4);
    answer_add(bad_frames, 2);
    answer_add(uart_overruns(), 2);
    answer_add(lamps_crc(), 2);
    answer_send();
}

static uint8_t show(void)
{
    if (lamps_ma() > budget_ma && lamps_ma() > lamps_count() * IDLE_MA) /* dark is always allowed */
        return OVER_BUDGET;
    lamps_show();
    fade_step = 0;
    return 0;
}

static uint8_t set(const uint8_t *payload, uint8_t length)
{
    if (length < 6 || length % 3)
        return BAD_LENGTH;
    uint16_t first = (uint16_t)payload[1] << 8 | payload[2];
    uint8_t lamps = length / 3 - 1;
    if (lamps > lamps_count() || first > (uint16_t)(lamps_count() - lamps))
        return OUT_OF_RANGE;
    fade_step = UNSHOWN;
    for (uint8_t i = 0; i < lamps; i++)
        lamps_set((uint8_t)first + i, payload + 3 + 3 * i);
    return payload[0] & LATCH ? show() : 0;
}

static uint8_t fill(const uint8_t *payload)
{
    fade_step = UNSHOWN;
    lamps_fill(payload[1], payload[2], payload[3]);
    return payload[0] & LATCH ? show() : 0;
}

static uint8_t off(void)
{
    lamps_fill(0, 0, 0);
    return show();
}

static uint8_t keep_serial(const uint8_t *payload)
{
    memory_keep_serial((uint32_t)payload[0] << 24 | (uint32_t)payload[1] << 16 | (uint16_t)payload[2] << 8 |
                       payload[3]);
    return 0;
}

/* 0, or why it was not done. */
static uint8_t execute(uint8_t type, const uint8_t *payload, uint8_t length)
{
    switch (type) {
    case SET: return set(payload, length);
    case SHOW: return length ? BAD_LENGTH : show();
    case FILL: return length != 4 ? BAD_LENGTH : fill(payload);
    case OFF: return length ? BAD_LENGTH : off();
    case PING: return length != 1 ? BAD_LENGTH : payload[0] & LATCH ? show() : 0;
    case SERIAL: return length != 4 ? BAD_LENGTH : keep_serial(payload);
    default: return UNKNOWN;
    }
}

/* A frame whose number tells where it belongs. */
static void in_order(uint8_t type, uint8_t seq, uint8_t length)
{
    uint8_t ahead = seq - last_seq;
    if (!greeted)
        refuse(seq, NOT_GREETED);
    else if (!ahead || ahead > FURTHER)
        acknowledge(); /* done before: its answer got lost */
    else if (ahead > 1)
        refuse(seq, OUT_OF_ORDER);
    else {
        uint8_t why = execute(type, frame + HEAD, length);
        if (why) {
            refuse(seq, why);
            return;
        }
        last_seq = seq;
        if (type == PING)
            pong();
        else
            acknowledge();
    }
}

static void receive(void)
{
    uint8_t length = collected - HEAD - TAIL;
    if (collected < HEAD + TAIL || frame[2] != length || too_long || crc || !cobs_complete(&reader)) {
        if (bad_frames != UINT16_MAX)
            bad_frames++;
        refuse(0, BAD_FRAME);
        return;
    }
    uint8_t type = frame[0], seq = frame[1];
    heard_ms = clock_ms();
    if (type == HEARD)
        events_heard(seq);
    else if (type != HELLO)
        in_order(type, seq, length);
    else if (length < 5) /* more bytes are ignored, so that later protocols can still greet */
        refuse(seq, BAD_LENGTH);
    else {
        last_seq = seq;
        hello(frame + HEAD);
    }
}

static void begin_frame(void)
{
    collected = heard_any = too_long = 0;
    reader = (struct cobs){0};
    crc = CRC_START;
}

/* What is needed for every byte stays in registers: half of the board's time is spent here. */
void protocol_listen(void)
{
    struct cobs at = reader;
    uint16_t sum = crc;
    uint8_t length = collected;
    while (uart_waiting()) {
        uint8_t byte = uart_take(), decoded;
        if (byte) {
            heard_any = 1;
            if (!cobs_take(&at, byte, &decoded))
                continue;
            sum = crc16(sum, decoded);
            if (length < sizeof frame)
                frame[length++] = decoded;
            else
                too_long = 1;
            continue;
        }
        if (heard_any) { /* two delimiters in a row are no frame */
            reader = at;
            crc = sum;
            collected = length;
            receive();
        }
        begin_frame();
        at = reader;
        sum = crc;
        length = 0;
    }
    reader = at;
    crc = sum;
    collected = length;
}

static void glow(void)
{
    static const uint8_t dim[3] = {0, 0, ASLEEP_BLUE};
    lamps_fill(0, 0, 0);
    lamps_set(0, dim);
    lamps_show();
}

/* One at a time, so that they arrive in order. */
static void tell(uint32_t now_ms)
{
    struct told event;
    uint16_t overruns = uart_overruns();
    if (overruns != told_overruns) {
        told_overruns = overruns;
        events_add(OVERRUN, 0);
    }
    if (!greeted || !events_oldest(&event) || (event.number == told && now_ms - told_ms < EVENT_AGAIN_MS))
        return;
    told = event.number;
    told_ms = now_ms;
    answer_begin(EVENT, event.number);
    answer_add(event.kind, 1);
    answer_add(event.value, 1);
    answer_send();
}

void protocol_tick(uint32_t now_ms)
{
    tell(now_ms);
    if (rest == AWAKE && now_ms - heard_ms >= SILENCE_MS) {
        rest = FADING;
        greeted = 0; /* whoever comes back must send the whole picture */
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

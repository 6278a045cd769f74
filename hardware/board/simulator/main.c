/* SPDX-License-Identifier: GPL-3.0-or-later
 * The lamp board without the board: runs board.elf on libsimavr. simavr is GPL, so this program is; it is
 * a program of its own, started by tests and demo, and nothing of it is linked into Stammtisch.
 *
 * stdout: one JSON object a line, the first is {"event":"port","path":"/dev/pts/N"}.
 * stdin: one command a line (see `commands`); the end of stdin ends the program.
 * SIGUSR1: a brown-out.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"
#include "options.h"
#include "port.h"
#include "strip.h"
#include "uart.h"

#define HZ         CHIP_HZ
#define MS         (HZ / 1000)
#define BEHIND_MAX (50 * MS) /* a stalled computer must not make the board run a marathon afterwards */
#define LED_BIT    6

static avr_t *avr;
static struct options options;
static avr_cycle_count_t wait_until;
static int64_t ahead; /* of the simulated clock over the one on the wall, in cycles */
static int waiting;
static volatile sig_atomic_t brown_out;

static void say(const char *event, const char *format, ...)
{
    printf("{\"event\":\"%s\",\"t\":%.6f,\"cycle\":%llu", event, (double)avr->cycle / HZ, (unsigned long long)avr->cycle);
    va_list rest;
    va_start(rest, format);
    vprintf(format, rest);
    va_end(rest);
    puts("}");
}

static void byte_moved(uint8_t byte, int outwards)
{
    if (outwards)
        port_write(byte);
    if (options.trace)
        say(outwards ? "tx" : "rx", ",\"byte\":%u", byte);
}

static void picture_latched(const struct strip_write *w)
{
    static char text[STRIP_MAX * 9 + 1];
    char *end = text;
    for (unsigned i = 0; i < strip_lamps(); i++)
        end += sprintf(end, "%s\"%06x\"", i ? "," : "", (unsigned)strip_colour(i));
    say("lamps",
        ",\"first_edge\":%llu,\"last_edge\":%llu,\"bits\":%u,\"violations\":%u,"
        "\"t0h\":[%u,%u],\"t1h\":[%u,%u],\"t0l\":[%u,%u],\"t1l\":[%u,%u],\"colours\":[%s]",
        (unsigned long long)w->first_edge, (unsigned long long)w->last_edge, w->bits, w->violations, w->high_min[0],
        w->high_max[0], w->high_min[1], w->high_max[1], w->low_min[0], w->low_max[0], w->low_min[1], w->low_max[1], text);
}

static void was_reset(const char *why)
{
    say("reset", ",\"why\":\"%s\"", why);
}

static avr_cycle_count_t wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (avr_cycle_count_t)now.tv_sec * HZ + (avr_cycle_count_t)now.tv_nsec * (HZ / 1000000) / 1000;
}

static int64_t due(void) /* the cycle that the simulation should have reached by now */
{
    return (int64_t)wall() + ahead;
}

static void obey(char *command)
{
    char word[16];
    double seconds;
    unsigned number;
    if (sscanf(command, "wait %lf", &seconds) == 1 && seconds >= 0) {
        wait_until = avr->cycle + (avr_cycle_count_t)(seconds * HZ);
        waiting = 1;
        return; /* answered when the time is over */
    }
    if (sscanf(command, "press %u", &number) == 1 && number < 4)
        chip_button(number, 1);
    else if (sscanf(command, "release %u", &number) == 1 && number < 4)
        chip_button(number, 0);
    else if (sscanf(command, "reset %15s", word) == 1)
        chip_reset(!strcmp(word, "power") ? "power" : !strcmp(word, "brown-out") ? "brown-out" : "button");
    else if (!strcmp(command, "hang"))
        chip_hang();
    else if (!strcmp(command, "quit"))
        exit(0);
    else if (strcmp(command, "stats")) {
        say("refused", "");
        return;
    }
    const struct uart_counts *n = uart_counted();
    say("done", ",\"received\":%llu,\"sent\":%llu,\"overrun\":%llu,\"deaf\":%llu", (unsigned long long)n->received,
        (unsigned long long)n->sent, (unsigned long long)n->overrun, (unsigned long long)n->deaf);
}

static void listen_to_stdin(void)
{
    static char text[256];
    static size_t length;
    ssize_t got = read(STDIN_FILENO, text + length, sizeof text - 1 - length);
    if (got <= 0)
        exit(0); /* whoever started us is gone */
    length += (size_t)got;
    text[length] = 0;
    for (char *end; !waiting && (end = strchr(text, '\n'));) {
        *end = 0;
        obey(text);
        length -= (size_t)(end + 1 - text);
        memmove(text, end + 1, length + 1);
    }
    if (length == sizeof text - 1)
        length = 0;
}

static int dtr, hangs_up;

/* DTR rises: the chip restarts, into its bootloader if it has one. */
static int port_was_opened(void)
{
    int rose = !dtr && options.resets_on_dtr;
    dtr = 1;
    if (!rose)
        return 0;
    uart_drop();
    chip_reset("button");
    return 1;
}

static void listen_to_port(void)
{
    static int was_in_use;
    int in_use = port_in_use(), opened = in_use && !was_in_use && port_was_opened();
    if (in_use) {
        hangs_up = port_hangs_up();
        uart_line_speed(port_speed());
    } else if (was_in_use) {
        dtr = !hangs_up;
        port_flush();
    }
    was_in_use = in_use;
    uint8_t bytes[512];
    size_t room = uart_room();
    ssize_t got = in_use ? port_read(bytes, room < sizeof bytes ? room : sizeof bytes) : 0;
    int starting_up = options.asked_pace ? opened && options.files.bootloader : due() < (int64_t)avr->cycle - (int64_t)MS;
    if (got > 0 && !starting_up)
        uart_feed(bytes, (size_t)got);
}

static int busy(void)
{
    return uart_busy() || strip_busy() || avr->state != cpu_Sleeping;
}

/* A sleeping chip jumps to its next timer; this one keeps it from jumping beyond what we asked for. */
static avr_cycle_count_t alarm_clock(avr_t *chip, avr_cycle_count_t when, void *every)
{
    (void)chip;
    return every ? when + *(avr_cycle_count_t *)every : 0;
}

static void run_until(avr_cycle_count_t target, int while_busy)
{
    static avr_cycle_count_t byte_time = HZ / 50000;
    avr_cycle_timer_cancel(avr, alarm_clock, &byte_time);
    if (while_busy)
        avr_cycle_timer_register(avr, byte_time, alarm_clock, &byte_time);
    else if (target > avr->cycle)
        avr_cycle_timer_register(avr, target - avr->cycle, alarm_clock, NULL);
    avr_cycle_count_t look = avr->cycle;
    while (avr->cycle < target && (!while_busy || busy())) {
        int state = avr_run(avr);
        if (!avr->pc)
            chip_unhang(); /* the firmware begins anew, with or without a reset */
        if (state == cpu_Done || state == cpu_Crashed) {
            say("crashed", ",\"pc\":%u", (unsigned)avr->pc);
            exit(1);
        }
        if (avr->cycle >= look) {
            strip_tick();
            look = avr->cycle + MS / 16;
        }
    }
    strip_tick();
}

static void live(void)
{
    ahead = (int64_t)avr->cycle - (int64_t)wall();
    for (;;) {
        int64_t timeout_us;
        if (options.asked_pace && (waiting || (busy() && !options.lockstep))) {
            run_until(waiting ? wait_until : avr->cycle + MS, !waiting);
            timeout_us = waiting || busy() ? 0 : 20000;
        } else if (options.asked_pace)
            timeout_us = 20000;
        else {
            if (due() - (int64_t)avr->cycle > (int64_t)BEHIND_MAX)
                ahead = (int64_t)avr->cycle + (int64_t)MS - (int64_t)wall();
            if (due() > (int64_t)avr->cycle)
                run_until((avr_cycle_count_t)due(), 0);
            timeout_us = busy() ? 200 : 5000;
        }
        if (waiting && avr->cycle >= wait_until) {
            waiting = 0;
            say("waited", "");
        }
        fflush(stdout);
        struct pollfd fds[2] = {{.fd = waiting ? -1 : STDIN_FILENO, .events = POLLIN},
                                {.fd = port_in_use() && uart_room() ? port_fd() : -1, .events = POLLIN}};
        struct timespec timeout = {.tv_sec = 0, .tv_nsec = timeout_us * 1000};
        ppoll(fds, 2, &timeout, NULL);
        if (fds[0].revents)
            listen_to_stdin();
        listen_to_port();
        if (brown_out) {
            brown_out = 0;
            chip_reset("brown-out");
        }
    }
}

static void on_signal(int number)
{
    (void)number;
    brown_out = 1;
}

int main(int argc, char **argv)
{
    int status = options_read(&options, argc, argv);
    if (status >= 0)
        return status;
    avr = chip_make(&options.files);
    if (!avr)
        return 1;
    uart_attach(avr, byte_moved);
    strip_attach(avr, CHIP_PORT, LED_BIT, options.lamps, picture_latched);
    chip_tell_resets(was_reset);
    const char *path = port_open();
    if (!path) {
        perror("simulator: no pseudo terminal");
        return 1;
    }
    printf("{\"event\":\"port\",\"path\":\"%s\"}\n", path);
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    chip_reset("power");
    live();
}

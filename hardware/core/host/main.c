/* The core as a board on this computer: what a port for another chip must bring, and no more.
 *
 * A line in, a line out:  hear HEX | tick MS | press N | release N | strip
 * The answer is what the board said, as hex (for `strip`: green, red, blue of every lamp), or `-` for nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "events.h"
#include "lamps.h"
#include "protocol.h"

uint8_t uart_ring[256], uart_head, uart_tail;
static uint16_t overruns;
static uint32_t now_ms, serial;
static uint8_t strip[3 * LAMPS_MAX];
static unsigned said;

static void print(const uint8_t *bytes, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        printf("%02x", bytes[i]);
    said += length;
}

/* The port: everything that board.h asks. */

void uart_send(const uint8_t *bytes, uint8_t length) { print(bytes, length); }
void uart_flush(void) {}
uint16_t uart_overruns(void) { return overruns; }
uint32_t clock_ms(void) { return now_ms; }
uint16_t memory_boot(void)
{
    static uint16_t boots;
    return ++boots;
}
uint32_t memory_serial(void) { return serial; }
void memory_keep_serial(uint32_t number) { serial = number; }
void strip_write(const uint8_t *bytes, uint16_t length) { memcpy(strip, bytes, length); }

static void hear(const char *hex)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        if (uart_waiting() == UART_ROOM)
            overruns++;
        else
            uart_ring[uart_head++] = (uint8_t)byte;
    }
}

static void button(unsigned which, uint8_t pressed)
{
    if ((buttons_down() >> which & 1) == pressed)
        return;
    events_add(pressed ? PRESSED : RELEASED, (uint8_t)which);
}

int main(void)
{
    static char line[2048], word[16];
    int at;
    events_start();
    protocol_start(1);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%15s %n", word, &at) != 1)
            return 2;
        said = 0;
        if (!strcmp(word, "strip"))
            print(strip, sizeof strip);
        else if (!strcmp(word, "press") || !strcmp(word, "release"))
            button((unsigned)atoi(line + at) & 7, *word == 'p');
        else { /* as main.c of the AVR goes round: time first, then bytes */
            if (!strcmp(word, "tick"))
                now_ms += (uint32_t)atol(line + at);
            else
                hear(line + at);
            protocol_tick(now_ms);
            protocol_listen();
        }
        puts(said ? "" : "-");
        fflush(stdout);
    }
    return 0;
}

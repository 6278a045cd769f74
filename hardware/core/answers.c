#include "answers.h"

#include "board.h"
#include "cobs.h"
#include "crc.h"

#define ANSWER_MAX (HEAD + 33 + TAIL)

static uint8_t answer[ANSWER_MAX], answer_length;

void answer_begin(uint8_t type, uint8_t seq)
{
    answer[0] = type;
    answer[1] = seq;
    answer_length = HEAD;
}

void answer_add(uint32_t value, uint8_t bytes)
{
    while (bytes--)
        answer[answer_length++] = (uint8_t)(value >> (8 * bytes));
}

void answer_send(void)
{
    static uint8_t wire[ANSWER_MAX + 4];
    uart_flush(); /* the last answer is still on its way out of `wire` */
    answer[2] = answer_length - HEAD;
    uint16_t sum = CRC_START;
    for (uint8_t i = 0; i < answer_length; i++)
        sum = crc16(sum, answer[i]);
    answer_add(sum, 2);
    wire[0] = 0; /* ends whatever noise the host has collected */
    uint8_t end = 1 + cobs_encode(answer, answer_length, wire + 1);
    wire[end++] = 0;
    uart_send(wire, end);
}

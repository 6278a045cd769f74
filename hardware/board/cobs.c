#include "cobs.h"

uint8_t cobs_encode(const uint8_t *in, uint8_t length, uint8_t *out)
{
    uint8_t code_at = 0, end = 1, code = 1;
    while (length--) {
        uint8_t byte = *in++;
        if (byte) {
            out[end++] = byte;
            code++;
        }
        if (!byte || (code == 0xFF && length)) {
            out[code_at] = code;
            code_at = end++;
            code = 1;
        }
    }
    out[code_at] = code;
    return end;
}

uint8_t cobs_take(struct cobs *reader, uint8_t byte, uint8_t *out)
{
    if (reader->left) {
        reader->left--;
        *out = byte;
        return 1;
    }
    uint8_t zero = reader->zero_due;
    reader->left = byte - 1;
    reader->zero_due = byte != 0xFF;
    *out = 0;
    return zero;
}

uint8_t cobs_complete(const struct cobs *reader)
{
    return !reader->left;
}

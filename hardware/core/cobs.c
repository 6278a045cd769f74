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

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

uint8_t cobs_decode(uint8_t *bytes, uint8_t length)
{
    uint8_t read = 0, write = 0;
    while (read < length) {
        uint8_t code = bytes[read++];
        if (!code || code - 1 > length - read)
            return 0;
        for (uint8_t i = 1; i < code; i++) {
            if (!bytes[read])
                return 0;
            bytes[write++] = bytes[read++]; /* never overtakes: every block has a code byte to spare */
        }
        if (code != 0xFF && read < length)
            bytes[write++] = 0;
    }
    return write;
}

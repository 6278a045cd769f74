/* Consistent Overhead Byte Stuffing (Cheshire & Baker 1999): frames without a zero byte inside. */
#ifndef COBS_H
#define COBS_H

#include <stdint.h>

/* Encode `length` (1..254) bytes; `out` needs length + 2. Returns the encoded length, no delimiter. */
uint8_t cobs_encode(const uint8_t *in, uint8_t length, uint8_t *out);

/* Decoding byte by byte, while the frame is still coming in. Begin a frame with {0}. */
struct cobs {
    uint8_t left;     /* bytes still to come in this block */
    uint8_t zero_due; /* a zero stands before the next block, unless the frame ends */
};

/* Take one byte that is not zero. Returns 1 when it yields a decoded byte in `out`. */
static inline uint8_t cobs_take(struct cobs *reader, uint8_t byte, uint8_t *out)
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

/* May the frame end here? */
static inline uint8_t cobs_complete(const struct cobs *reader)
{
    return !reader->left;
}

#endif

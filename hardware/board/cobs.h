/* Consistent Overhead Byte Stuffing (Cheshire & Baker 1999): frames without a zero byte inside. */
#ifndef COBS_H
#define COBS_H

#include <stdint.h>

/* Encode `length` (1..254) bytes; `out` needs length + 2. Returns the encoded length, no delimiter. */
uint8_t cobs_encode(const uint8_t *in, uint8_t length, uint8_t *out);

/* Decode in place. Returns the decoded length, 0 when the bytes are no COBS. */
uint8_t cobs_decode(uint8_t *bytes, uint8_t length);

#endif

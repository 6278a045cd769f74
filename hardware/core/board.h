/* What the core asks of a board: the whole of a port. It also brings a config.h with LAMPS_MAX (1 to 255) and
 * BUILD_ID, FEATURES and KEPT (an attribute: memory that a reset leaves alone), and a uart.h, because taking a byte must be cheap: UART_ROOM, uart_waiting(), uart_take(). */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#include "buttons.h"
#include "clock.h"
#include "config.h"
#include "memory.h"
#include "uart.h" /* also uart_send(), uart_flush(), uart_overruns(): board/uart.h says what they do */

/* Write the strip: `length` bytes, green, red, blue a lamp; return after the last bit, for the answer says that
 * it has been shown. Let the strip rest before (300 us), or it takes this for more of the last write. One byte
 * beyond the end may be read. */
void strip_write(const uint8_t *bytes, uint16_t length);

#endif

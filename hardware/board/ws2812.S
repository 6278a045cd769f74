/* WS2812B, every bit exactly 20 cycles of 16 MHz (1.25 us):
 *   0 = 5 high 15 low (312 / 938 ns), 1 = 14 high 6 low (875 / 375 ns).
 * Data sheet (Worldsemi WS2812B): T0H 400, T0L 850, T1H 800, T1L 450 ns, each +-150 ns;
 * newer revisions want T0H 220..380 and T1L 220..420 ns, which these numbers meet too.
 */
#include "config.h"

#define data   r18
#define bits   r19
#define high   r20
#define low    r21
#define port   _SFR_IO_ADDR(LAMP_PORT)

.section .text.ws2812_write
.global ws2812_write
ws2812_write:                   ; r25:r24 = bytes, r23:r22 = length
    movw r30, r24
    movw r24, r22
    sbiw r24, 0
    breq done
    in   low, port
    andi low, ~(1 << LAMP_BIT)
    mov  high, low
    ori  high, 1 << LAMP_BIT
    ld   data, Z+
    ldi  bits, 8
bit:
    out  port, high             ; 0
    nop                         ; 1
    nop                         ; 2
    nop                         ; 3
    sbrs data, 7                ; 4
    out  port, low              ; 5   a zero ends here
    lsl  data                   ; 6
    dec  bits                   ; 7
    brne same                   ; 8
    ld   data, Z+               ; 9   the next byte, fetched while the line is high anyway
    ldi  bits, 8                ; 11
    sbiw r24, 1                 ; 12
fall:
    out  port, low              ; 14  a one ends here; Z is set after the last bit
    nop                         ; 15
    nop                         ; 16
    nop                         ; 17
    brne bit                    ; 18
done:
    ret
same:
    nop                         ; 10
    nop                         ; 11
    rjmp fall                   ; 12  Z is clear: dec left something

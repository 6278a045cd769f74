/* WS2812B, every bit exactly 20 cycles of 16 MHz (1.25 us):
 *   0 = 5 high 15 low (312 / 938 ns), 1 = 14 high 6 low (875 / 375 ns).
 * Data sheet (Worldsemi WS2812B): T0H 400, T0L 850, T1H 800, T1L 450 ns, each +-150 ns;
 * newer revisions want T0H 220..380 and T1L 220..420 ns, which these numbers meet too.
 *
 * Interrupts are off, but the board is not deaf: once a byte (10 us) the free cycles of three bits fetch what
 * the UART has received (a byte takes 20 us at 500 000 baud) into the ring that its interrupt fills otherwise.
 * Whatever is done takes the same time whether a byte is there or not.
 */
#include <avr/io.h>

#include "config.h"

#define data   r18
#define high   r19
#define low    r20
#define status r21
#define tmp    r22
#define byte   r23
#define head   r0
#define tail   r16
#define lost   r17
#define port   _SFR_IO_ADDR(LAMP_PORT)

.macro pause cycles
  .rept (\cycles) / 2
    rjmp .+0
  .endr
  .if (\cycles) % 2
    nop
  .endif
.endm

.macro rise                     ; cycles 0 to 6
    out  port, high             ; 0
    pause 3
    sbrs data, 7                ; 4
    out  port, low              ; 5   a zero ends here
    lsl  data                   ; 6
.endm                           ; 7 cycles are free now

.macro fall
    out  port, low              ; 14  a one ends here
.endm                           ; 5 cycles are free now

.section .text.ws2812_write
.global ws2812_write
ws2812_write:                   ; r25:r24 = bytes, r23:r22 = length; returns what was lost in r24
    push r16
    push r17
    movw r30, r24
    movw r24, r22
    clr  lost
    lds  head, uart_head
    lds  tail, uart_tail
    in   low, port
    andi low, ~(1 << LAMP_BIT)
    mov  high, low
    ori  high, 1 << LAMP_BIT
    sbiw r24, 0
    brne 1f
    rjmp done
1:  ld   data, Z+
next:
    rise                        ; bit 7: has a byte come, and was one destroyed (DOR)?
    lds  status, UCSR0A         ; 7
    mov  tmp, status            ; 9
    andi tmp, 1 << DOR0         ; 10
    or   lost, tmp              ; 11
    pause 2
    fall
    pause 5

    rise                        ; bit 6: take it
    sbrc status, RXC0           ; 7   three cycles either way
    lds  byte, UDR0
    mov  tmp, head              ; 10
    inc  tmp                    ; 11
    pause 2
    fall
    ldi  XL, lo8(uart_ring)     ; 15
    ldi  XH, hi8(uart_ring)     ; 16
    add  XL, head               ; 17
    adc  XH, r1                 ; 18
    nop                         ; 19

    rise                        ; bit 5: is there room in the ring? Else it is lost
    cp   tmp, tail              ; 7
    brne 1f                     ; 8
    or   lost, status
1:  cp   tmp, tail              ; 10
    brne 2f                     ; 11
    clr  status
2:  nop                         ; 13
    fall
    st   X, byte                ; 15  the place at `head` is never in use
    sbrc status, RXC0           ; 17
    inc  head
    nop                         ; 19

  .rept 4                       ; bits 4 to 1
    rise
    pause 7
    fall
    pause 5
  .endr

    rise                        ; bit 0: the next byte of the picture
    ld   data, Z+               ; 7
    sbiw r24, 1                 ; 9
    pause 3
    fall
    pause 2                     ; 15
    breq done                   ; 17
    rjmp next                   ; 18
done:
    sts  uart_head, head
    mov  r24, lost
    andi r24, (1 << RXC0) | (1 << DOR0)
    pop  r17
    pop  r16
    ret

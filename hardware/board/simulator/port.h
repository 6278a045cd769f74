/* SPDX-License-Identifier: GPL-3.0-or-later
 * The USB end of the board: a pseudo terminal that any serial program opens.
 */
#ifndef SIMULATOR_PORT_H
#define SIMULATOR_PORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

const char *port_open(void);      /* the path for the other side; NULL when there are no pseudo terminals */
int port_fd(void);
int port_hangs_up(void);         /* will closing it drop DTR (HUPCL)? */
unsigned port_speed(void);        /* baud that its user has set; 0: none that we know */
int port_in_use(void);            /* does anybody have the other side open? */
void port_flush(void);            /* forget what the last user left unread */
ssize_t port_read(uint8_t *bytes, size_t length);
void port_write(uint8_t byte);    /* lost when nobody listens, as on a real board */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static int master = -1;

const char *port_open(void)
{
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (master < 0 || grantpt(master) || unlockpt(master))
        return NULL;
    const char *path = ptsname(master);
    int slave = open(path, O_RDWR | O_NOCTTY);
    struct termios raw;
    if (slave < 0 || tcgetattr(slave, &raw))
        return NULL;
    cfmakeraw(&raw);
    raw.c_cflag |= HUPCL; /* as a serial port comes up */
    tcsetattr(slave, TCSANOW, &raw);
    close(slave); /* only after a first opening and closing does poll() tell whether somebody is there */
    return path;
}

int port_fd(void)
{
    return master;
}

int port_hangs_up(void)
{
    struct termios now;
    return tcgetattr(master, &now) || now.c_cflag & HUPCL;
}

unsigned port_speed(void)
{
    static const struct { speed_t code; unsigned baud; } known[] = {
        {B9600, 9600}, {B19200, 19200}, {B38400, 38400}, {B57600, 57600}, {B115200, 115200}, {B230400, 230400},
        {B500000, 500000}, {B1000000, 1000000}};
    struct termios now;
    if (!tcgetattr(master, &now))
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (known[i].code == cfgetospeed(&now))
                return known[i].baud;
    return 0;
}

int port_in_use(void)
{
    struct pollfd look = {.fd = master, .events = POLLIN};
    return poll(&look, 1, 0) >= 0 && !(look.revents & POLLHUP);
}

void port_flush(void)
{
    tcflush(master, TCIOFLUSH);
}

ssize_t port_read(uint8_t *bytes, size_t length)
{
    return length ? read(master, bytes, length) : 0;
}

void port_write(uint8_t byte)
{
    if (port_in_use() && write(master, &byte, 1) != 1)
        return; /* nobody reads: the driver's buffer is full and the byte is gone */
}

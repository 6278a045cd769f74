/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the simulator was told on its command line.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "chip.h"

struct options {
    int asked_pace, lockstep, trace, resets_on_dtr;
    unsigned lamps;
    struct chip_files files;
};

/* -1: go on; else the exit status, all is said. */
int options_read(struct options *read, int argc, char **argv);

#endif

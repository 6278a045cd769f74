/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: simulator [--pace real|asked|lockstep] [--lamps N] [--dtr] [--bootloader HEX] [--eeprom FILE] [--trace]\n"
    "                 board.elf\n"
    "  --pace real   simulated time follows the clock on the wall (default)\n"
    "  --pace asked  time moves, as fast as it can, only while there is work or on the command `wait SECONDS`\n"
    "  --pace lockstep  time moves only on the command `wait SECONDS`\n"
    "  --lamps N     length of the strip (60)\n"
    "  --dtr         a rising DTR resets the board, as on a Nano. It rises when the port is opened, unless its last\n"
    "                user let it stand (HUPCL off)\n"
    "  --bootloader HEX  the same, and each reset starts this program, 65 ms after it as a Nano's fuses say\n"
    "  --eeprom FILE the EEPROM is read from FILE, if there is one, and kept there\n"
    "  --trace       report every byte on the wire\n"
    "commands on stdin: wait SECONDS | press 0..3 | release 0..3 | reset power|button|brown-out | hang | stats | quit\n";

int options_read(struct options *read, int argc, char **argv)
{
    static const struct option known[] = {{"pace", required_argument, NULL, 'p'},
                                          {"lamps", required_argument, NULL, 'l'},
                                          {"dtr", no_argument, NULL, 'd'},
                                          {"bootloader", required_argument, NULL, 'b'},
                                          {"trace", no_argument, NULL, 't'},
                                          {"eeprom", required_argument, NULL, 'e'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    *read = (struct options){.lamps = 60};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        switch (option) {
        case 'p':
            read->lockstep = !strcmp(optarg, "lockstep");
            read->asked_pace = read->lockstep || !strcmp(optarg, "asked");
            break;
        case 'l': read->lamps = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'd': read->resets_on_dtr = 1; break;
        case 'b':
            read->files.bootloader = optarg;
            read->resets_on_dtr = 1;
            break;
        case 't': read->trace = 1; break;
        case 'e': read->files.eeprom = optarg; break;
        default: fputs(usage, option == 'h' ? stdout : stderr); return option == 'h' ? 0 : 2;
        }
    if (optind + 1 != argc) {
        fputs(usage, stderr);
        return 2;
    }
    read->files.firmware = argv[optind];
    return -1;
}

#include "memory.h"

#include <avr/eeprom.h>

#include "crc.h"
#include "start.h"

struct label {
    uint32_t serial;
    uint16_t check; /* an EEPROM cell that was written while the power went is no serial number */
};

static struct label EEMEM kept;
static uint16_t EEMEM boots; /* written once after each power-on that somebody greets: 100 000 times at least */
static uint32_t serial;

static uint16_t check(const struct label *label)
{
    const uint8_t *bytes = (const uint8_t *)&label->serial;
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < sizeof label->serial; i++)
        crc = crc16(crc, bytes[i]);
    return crc;
}

void memory_start(void)
{
    struct label label;
    eeprom_read_block(&label, &kept, sizeof label);
    serial = label.check == check(&label) ? label.serial : 0;
}

uint16_t memory_boot(void)
{
    uint16_t boot = eeprom_read_word(&boots) + 1;
    eeprom_update_word(&boots, boot);
    return boot;
}

uint32_t memory_serial(void)
{
    return serial;
}

void memory_keep_serial(uint32_t number)
{
    struct label label = {.serial = number};
    label.check = check(&label);
    eeprom_update_block(&label, &kept, sizeof label);
    serial = number;
}

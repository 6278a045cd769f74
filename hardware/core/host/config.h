/* The core on this computer. */
#ifndef CONFIG_H
#define CONFIG_H

#define LAMPS_MAX 150
#define BUILD_ID  0
#define KEPT /* a program that ends forgets */
#define FEATURES  (FEATURE_BUTTONS | FEATURE_SERIAL)

#endif

/* settings.h: the fields of a world's definition and what each may be. */
#ifndef LODE_WORLD_SETTINGS_H
#define LODE_WORLD_SETTINGS_H

#include "lode/world.h"

/* Reports the first field that cannot be accepted, as "def.<field>". */
lode_status lode__settings_check(const lode_world_def *def, const char *function);

#endif

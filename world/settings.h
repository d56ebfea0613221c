/* settings.h: the fields of a world's definition and what each may be. */
#ifndef LODE_WORLD_SETTINGS_H
#define LODE_WORLD_SETTINGS_H

#include "core/bytes.h"
#include "lode/world.h"
#include "world/registry.h"

/* Reports the first field that cannot be accepted, as "def.<field>". */
lode_status lode__settings_check(const lode_world_def *def, const char *function);

/* The collision stages find pairs as the definition says now. */
void lode__settings_choose_broad(lode__world *world);

/* In snapshots: all but what belongs to the machine. Reading changes `def` as far as it comes and
 * says whether all could be accepted. */
void lode__settings_write(const lode_world_def *def, lode__writer *out);
bool lode__settings_read(lode_world_def *def, lode__reader *in);

/* Names and types of what is written, in order. */
extern const char lode__settings_layout[];

#endif

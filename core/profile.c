/* profile.c: see profile.h. */
#include "core/profile.h"

#include "core/os.h"

void lode__profile_begin(lode__profile *profile, int stage)
{
    if (profile->hooks.begin)
        profile->hooks.begin(profile->hooks.user, profile->stages[stage].name);
    profile->times[stage].begin = profile->now ? profile->now : lode__os_ticks();
}

void lode__profile_end(lode__profile *profile, int stage)
{
    lode__stage_time *time = &profile->times[stage];
    profile->now = lode__os_ticks();
    time->seconds += lode__os_seconds(profile->now - time->begin);
    time->calls++;
    if (profile->hooks.end)
        profile->hooks.end(profile->hooks.user, profile->stages[stage].name);
}

void lode__profile_move(lode__profile *profile, int from, int to, double seconds)
{
    profile->times[from].seconds -= seconds;
    profile->times[to].seconds += seconds;
}

void lode__profile_reset(lode__profile *profile)
{
    for (int i = 0; i < profile->count; ++i)
        profile->times[i] = (lode__stage_time){0};
}

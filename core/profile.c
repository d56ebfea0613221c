/* profile.c: see profile.h. */
#include "core/profile.h"

#include "core/os.h"

void lode__profile_start(lode__profile *profile)
{
    profile->first_ticks = lode__os_ticks();
    profile->first_count = lode__os_count();
}

double lode__profile_seconds(const lode__profile *profile, uint64_t count)
{
    double seconds = lode__os_seconds(lode__os_ticks() - profile->first_ticks);
    uint64_t counted = lode__os_counted(profile->first_count);
    return counted > 0 ? seconds * ((double)count / (double)counted) : 0;
}

void lode__profile_begin(lode__profile *profile, int stage)
{
    if (profile->hooks.begin)
        profile->hooks.begin(profile->hooks.user, profile->stages[stage].name);
    profile->times[stage].begin = profile->now ? profile->now : lode__os_count();
}

void lode__profile_end(lode__profile *profile, int stage)
{
    lode__stage_time *time = &profile->times[stage];
    profile->now = time->begin;
    time->count += lode__os_lap(&profile->now);
    time->calls++;
    if (profile->hooks.end)
        profile->hooks.end(profile->hooks.user, profile->stages[stage].name);
}

void lode__profile_pass(lode__profile *profile, int stage)
{
    profile->times[stage].calls++;
    if (profile->hooks.end)
        profile->hooks.end(profile->hooks.user, profile->stages[stage].name);
}

void lode__profile_move(lode__profile *profile, int from, int to, uint64_t count)
{
    lode__stage_time *source = &profile->times[from];
    if (count > source->count)
        count = source->count;
    source->count -= count;
    profile->times[to].count += count;
}

void lode__profile_reset(lode__profile *profile)
{
    for (int i = 0; i < profile->count; ++i)
        profile->times[i] = (lode__stage_time){0};
}

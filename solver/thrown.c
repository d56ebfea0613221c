/* thrown.c: see thrown.h. Bodies are thrown or not whoever is in their group, and what is taken
 * back is taken colour by colour, so in the same order with any number of threads. */
#include "solver/thrown.h"

#include "solver/stages.h"

enum {
    THROWN = 5,   /* times as fast as before, with these beside it: */
    METRES = 1,   /* a second, by length unit */
    RADIANS = 10, /* a second */
    ROUNDS = 4    /* each takes back what throws those that the last one has thrown */
};

static lode_real square(lode_vec3 v)
{
    return v3_dot(v, v);
}

void lode__thrown_note(const lode__dense *lines, const lode__stretch *stretch)
{
    for (uint32_t line = stretch->line_begin; line < stretch->line_end; ++line)
        lines->pace[line] = (lode__pace){square(lines->velocity[line].linear),
                                         square(lines->velocity[line].angular), 0};
}

/* Marks those of the lines whose bodies are thrown; returns whether any is. */
static bool mark(const lode__solve_work *work, uint32_t begin, uint32_t end)
{
    const lode__dense *lines = &work->solver->state->lines;
    const lode_real metres = LODE__SPEED(work->step->settings, METRES), radians = RADIANS;
    const lode_real times = (lode_real)(THROWN * THROWN);
    bool any = false;
    for (uint32_t line = begin; line < end; ++line) {
        lode__pace *pace = &lines->pace[line];
        lode_real linear = times * (pace->linear + metres * metres);
        lode_real angular = times * (pace->angular + radians * radians);
        bool thrown = square(lines->velocity[line].linear) > linear ||
                      square(lines->velocity[line].angular) > angular;
        pace->thrown = thrown;
        any = any || thrown;
    }
    return any;
}

static uint8_t *thrown_of(const lode__pass_task *task)
{
    const lode__solve_state *state = task->work->solver->state;
    return &state->thrown[task->group - state->groups];
}

static void look(const void *context, const lode__stretch *stretch)
{
    const lode__pass_task *task = context;
    if (mark(task->work, stretch->line_begin, stretch->line_end))
        __atomic_store_n(thrown_of(task), 1, __ATOMIC_RELAXED);
}

/* Who has looked at a chunk's lines has come before; a mark elsewhere does no harm here. */
static void let_go(const void *context, const lode__solve_chunk *chunk)
{
    const lode__pass_task *task = context;
    if (__atomic_load_n(thrown_of(task), __ATOMIC_RELAXED))
        lode__run_chunk(context, chunk);
}

/* The same for a group that one thread has alone. */
static void look_and_let_go(const void *context, const lode__stretch *stretch)
{
    const lode__pass_task *task = context;
    const lode__solve_state *state = task->work->solver->state;
    const lode__group *group = task->group;
    for (int round = 0; round < ROUNDS; ++round) {
        if (!mark(task->work, stretch->line_begin, stretch->line_end))
            return;
        for (uint32_t i = group->chunk_begin; i < group->chunk_end; ++i)
            lode__run_chunk(task, &state->chunks[i]);
    }
}

void lode__thrown_add(lode__program *out)
{
    lode__pass_task task = {.kernel = LODE__KERNEL(let_go), .softness = &out->work->softness};
    if (out->work->sub_step > 0)
        return;
    if (!out->group->shares)
        lode__add_pass(out, task, (lode__pass){.lines = look_and_let_go});
    for (int round = 0; out->group->shares && round < ROUNDS; ++round) {
        lode__add_pass(out, task, (lode__pass){.lines = look});
        lode__add_pass(out, task, (lode__pass){.chunk = let_go, .sweeps = 1});
    }
}

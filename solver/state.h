/* state.h: what the solver knows during one step; all of it lies in the step's arena.
 *
 * Bodies that move lie in dense lines in island order. Islands are collected into groups, the
 * unit of work: small ones together until their blocks fill a share of the second-level cache, or
 * so that every thread has some, or with a large one (solver/groups.c). A group's contacts and
 * joints are coloured, so that within a colour no two share a movable body, and laid into blocks of
 * eight, colour by colour; what finds no colour is laid into blocks of shared kinds. A chunk is a
 * short run of blocks of one kind and colour, the argument of one kernel call. */
#ifndef LODE_SOLVER_STATE_H
#define LODE_SOLVER_STATE_H

#include "core/fetch.h"
#include "solver/joints/joint_type.h"
#include "solver/kernels.h"
#include "solver/solver.h"

enum {
    LODE__PAIR_COLOURS = 16,  /* for constraints between two movable bodies */
    LODE__STATIC_COLOURS = 8, /* for constraints of one movable body; they come last */
    /* The order of solving. Blocks of what found no colour are solved one after another. */
    LODE__COLOUR_PAIR_REST = LODE__PAIR_COLOURS,
    LODE__COLOUR_STATIC = LODE__COLOUR_PAIR_REST + 1,
    LODE__COLOUR_STATIC_REST = LODE__COLOUR_STATIC + LODE__STATIC_COLOURS,
    LODE__COLOUR_LIMBS = LODE__COLOUR_STATIC_REST + 1, /* of links: solver/articulation/limbs.h */
    LODE__COLOUR_COUNT = LODE__COLOUR_LIMBS + 1,

    /* Constraints of one colour are sorted into buckets: contacts by kind, joints by type and
       number of rows. */
    LODE__BUCKET_JOINT = LODE__KIND_ROWS,
    LODE__BUCKET_LINKAGE = LODE__BUCKET_JOINT + LODE__JOINT_BUCKETS, /* by the power of two of their
                                                                        room for bodies */
    LODE__LINKAGE_CLASSES = 13,
    LODE__BUCKET_COUNT = LODE__BUCKET_LINKAGE + LODE__LINKAGE_CLASSES,

    LODE__CHUNK_BLOCKS = 8,   /* most blocks of one kernel call */
    LODE__GROUP_ROWS = 49152 / sizeof(lode_real), /* a group is closed when it has this many rows,
                                                     half as many in double precision: they are to
                                                     stay in the cache, */
    LODE__JOINT_WEIGHT = 3, /* where one of a joint takes as much room as so many of contacts */
    LODE__LARGE_ROWS = 12288, /* threads share an island that has this many, or fewer (groups.c) */
    LODE__LEAST_ROWS = 1024,  /* or, where threads would be idle, this many: few of its blocks are
                                 full */
    LODE__SHARE_ROWS = 3072,  /* a share of a large island has this many at least: each of its
                                 colours has blocks of its own, and the last is not full */
    LODE__DIRECT_ROWS = 384,  /* the same for the direct solver, whose rows cost more */
    LODE__LINE_GRAIN = 64,    /* lines of one task */
    LODE__LINES_AHEAD = 6,    /* lines whose bodies are fetched ahead */
    LODE__BENCH_ALIGN = 128,  /* no two benches share a line of the cache */
    LODE__CONSTRAINT_GRAIN = 256
};

enum { LODE__BUCKET_WORDS = (LODE__BUCKET_COUNT + 63) / 64 };

typedef struct lode__bucket_set {
    uint64_t words[LODE__BUCKET_WORDS];
} lode__bucket_set;

static inline void bucket_see(lode__bucket_set *set, int bucket)
{
    set->words[bucket / 64] |= UINT64_C(1) << bucket % 64;
}

typedef struct lode__solve_chunk {
    char *blocks;
    const uint32_t *lanes; /* each lane's source, or LODE__NONE */
    const lode__block_kernels *kernels;
    uint32_t count;
    uint32_t stride;
    uint8_t colour, bucket;
    uint8_t share;
    bool inside;   /* of its share */
    bool shared;   /* threads share its group */
    bool through;  /* its group goes through in one go */
    bool all_held; /* nets (solver/nets.h) solve all that it has */
    bool corrects; /* beside nets: velocities are told of its errors */
    uint32_t held; /* so many of its joints are all solved by nets */
} lode__solve_chunk;

/* Chunks of a shared group that one thread solves in one go: its edge, then what is inside. */
typedef struct lode__turn {
    uint32_t begin, inside, end;
    const uint32_t *common; /* lines that its edge pushes and another share pushes too */
    uint32_t common_count;
} lode__turn;

/* Lines that are worked on in one go, and what the lists of some bodies have of them. */
typedef struct lode__stretch {
    uint32_t line_begin, line_end;
    uint32_t spinner_begin, spinner_end;
    bool turns; /* the inertia of some of those turns in each sub-step */
    uint32_t turner_begin, turner_end;
    uint32_t flyer_begin, flyer_end;
    uint32_t limit_begin, limit_end;
} lode__stretch;

/* One thread's part of a group. */
typedef struct lode__share {
    /* Lines that the edge of each colour pushes and another share pushes too. */
    uint32_t *common, common_end[LODE__COLOUR_COUNT];

    uint32_t line_begin, line_end;
    lode__stretch parts[2]; /* of these lines, those that several shares push, and the others */
    uint64_t bytes;         /* of its blocks, about */

    /* Of the edge, and inside: counts, then the next free lane; of the group's colours. Not zeroed
       at first, since it is long. */
    uint32_t lanes[2][LODE__COLOUR_COUNT][LODE__BUCKET_COUNT];
} lode__share;

/* What islands and colouring know of a constraint. */
typedef struct lode__constraint {
    uint32_t a, b;   /* dense lines, 0 for what cannot be pushed; places in the list of dynamic
                        bodies while islands are found */
    uint32_t source; /* index in the step's contacts or linkage rows, or joint slot */
    uint8_t bucket, rows, colour;
    uint8_t share : 5; /* where threads share the group */
    uint8_t inside : 1;
} lode__constraint;

enum { LODE__JOINTS, LODE__LINKAGES, LODE__CONTACTS, LODE__LISTS }; /* in the order of colouring */

/* A row of a joint over any number of bodies (solver/linkage.h). */
typedef struct lode__linkage_row {
    uint32_t joint;      /* slot of its first record */
    uint32_t begin, end; /* of state.linkage_ends */
    uint32_t colour;     /* among linkages */
    uint8_t row;
} lode__linkage_row;

typedef struct lode__constraint_list {
    lode__constraint *all; /* joints by slot, contacts by pair */
    uint32_t *order;       /* the same, group by group */
    uint8_t *colour;       /* of each, until it has it itself; null: it always has */
    uint32_t count;
} lode__constraint_list;

/* A body whose speed is limited. */
typedef struct lode__limit {
    uint32_t line;
    lode_real linear, angular;
} lode__limit;

/* What restrains bodies that move, as far as it differs from what most have. */
typedef struct lode__restraints {
    lode__limit *limits; /* by line, so group by group */
    uint32_t *damped;    /* lines */
    uint32_t limit_count, damped_count;
} lode__restraints;

/* May an island have nets, and contacts that are swept in turn with them? */
enum { LODE__NOT_NETTED, LODE__NETTED, LODE__NETTED_TOUCHED };

/* What a group's time goes into: the sub-stages of solve, and where it goes through in one go, what
 * other stages do with it. */
enum {
    LODE__PART_PREPARE = LODE__SUB_COUNT,
    LODE__PART_RESTITUTION,
    LODE__PART_KEEP,
    LODE__PART_COUNT
};

/* What a place's used colours begin with, if it is a link. */
#define LODE__LIMB_MARK 0x80000000u

struct lode__limb;
struct lode__limb_work;
struct lode__loose_bench;
struct lode__handful;

/* A line that is a link: of limb number limb - 1; 0: none. */
typedef struct lode__limb_link {
    uint32_t limb, link;
} lode__limb_link;

typedef struct lode__group {
    uint32_t line_begin, line_end;
    lode__stretch all;                             /* its lines */
    uint32_t begin[LODE__LISTS], end[LODE__LISTS]; /* in the lists' order */
    uint32_t rest_begin, rest_end;                 /* in the list of what found no colour */
    uint32_t chunk_begin, chunk_end;
    lode__share *shares;            /* of a large group, with threads; or null */
    const lode__constraint **edges; /* the constraints of its shares' edges */
    uint32_t edge_count;
    uint32_t turn_begin, phases; /* of a group with shares */
    uint64_t *busy;              /* by share: how long its turns have taken so far, in ticks */
    bool timed;                  /* they are all known */
    uint32_t rows;
    uint32_t whole; /* what is its group with one thread */
    bool large;     /* it has a large island: threads share its colours; not with the direct solver,
                   which does an island on one thread and several at once */
    uint32_t colours; /* bit i: some of its constraints have colour i */
    bool through;     /* prepared, solved and kept in one go, by one task, on its worker's bench */
    uint64_t ticks[LODE__PART_COUNT];

    struct lode__alone *alone; /* for each share, or one; see solver/alone.h */
    uint32_t alone_count;

    struct lode__limb_work *limbs; /* or null */
    bool loose;                    /* they are: solver/articulation/loose.h, */
    struct lode__handful *handfuls; /* and stepped in these, while lists stand; or null */
    uint32_t handful_count;

    lode_solver solver; /* direct or PGS where the world's is hybrid */

    uint8_t netted;         /* LODE__NETTED..., of all its islands, for they take other stages */
    struct lode__net *nets; /* of joints that are solved to the end; see solver/nets.h */
    uint32_t net_count;
    bool sweeps;   /* it has more than nets solve, */
    bool corrects; /* of which velocities are told errors */

    /* of the direct solver */
    uint32_t island_begin, island_end;
    struct lode__direct *direct;
    struct lode__limb_direct *limb_direct; /* where it has limbs */
    uint32_t unsolved;      /* islands not solved to the end */
    uint32_t unsolved_body; /* lowest slot of the first of them */

    /* Of its colours: counts, then the next free lane. Not zeroed at first, since it is long. */
    uint32_t blocks[LODE__COLOUR_COUNT][LODE__BUCKET_COUNT];
} lode__group;

/* What holds a body; STIFF: tense joints have made its inertia another (solver/nets_tense.c). */
enum { LODE__HELD_JOINED = 1, LODE__HELD_TOUCHED = 2, LODE__HELD_STIFF = 4 };

typedef struct lode__solve_state {
    lode__dense lines;
    lode__spinners spinners;
    lode__turners turners;
    lode__flyers flyers;
    lode__restraints restraints;

    lode__group *groups;
    uint32_t group_count;
    uint32_t *island_line; /* first line of each island; one more that ends the last */

    lode__constraint_list constraints[LODE__LISTS];
    uint8_t buckets[LODE__BUCKET_COUNT]; /* those that constraints may be of, ascending */
    uint32_t bucket_count;
    bool bounces; /* some contact has a restitution */

    lode__linkage_row *linkages;
    uint32_t *linkage_ends;    /* dense lines of what can be pushed; places at first */
    uint32_t *linkage_colours; /* by line: bit i is colour i */

    lode__solve_chunk *chunks;
    uint32_t chunk_count;
    size_t bench_bytes; /* of each worker's bench: blocks of the group that goes through */

    /* Of groups with shares: phase by phase, in each a turn per share. */
    lode__turn *turns;
    uint32_t turn_count, shares;
    uint8_t *share_of_line, *common; /* of groups with shares; is a line pushed by several? */

    struct lode__limb *limbs; /* articulations that are awake */
    lode__limb_link *limb_of_line;
    lode__block_kernels *limb_kinds; /* kernels by kind, without those that solve */
    uint32_t limb_count;
    uint8_t *loose; /* by line: a link of one that is loose; null: there are none */
    struct lode__loose_bench *benches; /* of workers, for those */

    uint8_t *held;          /* by line: LODE__HELD_..., where somebody asks (held.c) */
    uint32_t flags_seen;    /* all that any movable body has */
    uint32_t *island;       /* by dense line, from line 1 on */
    lode_real *most_erp;    /* by island: the largest of its joints' rows */
    int32_t *shadow;        /* by body: its shadow's line; null: there are none */
    uint32_t *shadow_slot;  /* of their bodies */
    uint8_t *frozen;        /* by dense line: its state is no longer finite */
    uint8_t *posed;         /* by dense line: finalise has given the body another pose */
    lode__velocity *ways;   /* by dense line: by how much bodies are moved, where nets touch */
    lode__velocity *before; /* by dense line: before an iteration, where it may be the last */
    uint8_t *thrown;        /* by group: its warm start throws some body */
} lode__solve_state;

/* The dense line of a body slot: 0 for bodies at rest that cannot be pushed, frozen ones, and
 * LODE__NONE; negative for kinematic bodies that move. */
static inline int32_t line_of_body(const lode__pool *bodies, uint32_t slot)
{
    return slot == LODE__NONE ? 0 : *LODE__AT(body, bodies, line, slot);
}

/* Of the island of a joint between these lines, of which one can be pushed. */
static inline lode_real most_erp_between(const lode__solve_state *state, int32_t a, int32_t b)
{
    return state->most_erp[state->island[a > 0 ? a : b]];
}

/* What a contact has for body a or b, side 0 or 1: a shadow of a body that it does not push. While
 * contacts are listed nobody has a shadow, and any negative number stands for it. */
static inline int32_t line_of_side(const lode__solver *solver, const lode__manifold *m, int side)
{
    uint32_t slot = side ? m->body_b : m->body_a;
    int32_t line = line_of_body(solver->bodies, slot);
    if (line <= 0 || immovable_of(solver->manifolds, m) != side + 1)
        return line;
    return solver->state->shadow ? solver->state->shadow[slot] : -1;
}

/* Is body a one that could be pushed, and is not? */
static inline bool is_turned(const lode__solver *solver, const lode__manifold *m)
{
    return immovable_of(solver->manifolds, m) == LODE_IMMOVABLE_FIRST &&
           flags_movable(*LODE__AT(body, solver->bodies, flags, m->body_a));
}

static inline const lode__joint *joint_at(const lode__pool *joints, uint32_t slot)
{
    return LODE__AT(joint, joints, joint, slot);
}

static inline bool bucket_is_linkage(int bucket)
{
    return bucket >= LODE__BUCKET_LINKAGE;
}

static inline bool bucket_is_contact(int bucket)
{
    return bucket < LODE__BUCKET_JOINT;
}

/* The list of the constraints in a bucket. */
static inline int list_of_bucket(int bucket)
{
    return bucket_is_contact(bucket)   ? LODE__CONTACTS
           : bucket_is_linkage(bucket) ? LODE__LINKAGES
                                       : LODE__JOINTS;
}

/* What found no colour. */
static inline bool is_colour_rest(int colour)
{
    return colour == LODE__COLOUR_PAIR_REST || colour == LODE__COLOUR_STATIC_REST;
}

/* Joints of islands that are solved as a whole are never solved side by side: their blocks need no
 * colours, and are fuller without. Contacts bounce side by side. */
static inline bool is_uncoloured(const lode__group *group, const lode__constraint *c)
{
    return group->solver == LODE_SOLVER_DIRECT && !group->limbs &&
           !bucket_is_contact(c->bucket) && !is_colour_rest(c->colour);
}

/* The colour among whose blocks a constraint's is. */
static inline int colour_in(const lode__group *group, const lode__constraint *c)
{
    return is_uncoloured(group, c) ? 0 : c->colour;
}

/* Of contacts that have more than friction and restitution? */
static inline bool bucket_is_special(int bucket)
{
    return bucket >= LODE__KIND_SPECIAL && bucket < LODE__KIND_SPECIAL + LODE__MANIFOLD_POINTS;
}

/* The block's bucket of a manifold, given whether both of its bodies have a velocity. */
static inline int contact_bucket(const lode__manifold *manifold, bool pair)
{
    if (manifold->special)
        return LODE__KIND_SPECIAL + manifold->point_count - 1;
    return (pair ? LODE__KIND_CONTACT : LODE__KIND_STATIC) + manifold->point_count - 1;
}

/* along.c: sorts places of bodies in a list of slots along the longest side of all of them; within
 * some near each other the order is kept. `scratch` and `bins` are as long. */
void lode__places_lay_along(const lode__pool *bodies, const uint32_t *slots, uint32_t *places,
                            uint32_t count, uint32_t *scratch, uint8_t *bins);

enum { LODE__LANES_AHEAD = 16 };

/* The chunk of the lane that comes so many lanes after this one, in the chunk or in those behind
 * it, and what it has; LODE__NONE where there is none. */
static inline const lode__solve_chunk *lode__lane_ahead(const lode__solver *solver,
                                                        const lode__solve_chunk *chunk,
                                                        uint32_t lane, uint32_t ahead,
                                                        uint32_t *out_source)
{
    const lode__solve_chunk *end = solver->state->chunks + solver->state->chunk_count;
    const lode__solve_chunk *next = chunk;
    *out_source = LODE__NONE;
    for (lane += ahead; lane >= next->count * LODE_LANES; ++next) {
        lane -= next->count * LODE_LANES;
        if (next + 1 == end)
            return next;
    }
    if (next->share == chunk->share)
        *out_source = next->lanes[lane];
    return next;
}

/* Has the processor fetch the manifold of a lane that comes soon. Manifolds lie anywhere, and half
 * of them in the cache of another core, which wrote them. */
LODE__FETCHER void lode__manifold_fetch(const lode__solver *solver, const lode__solve_chunk *chunk,
                                        uint32_t lane)
{
    uint32_t contact;
    const lode__solve_chunk *next = lode__lane_ahead(solver, chunk, lane, LODE__LANES_AHEAD,
                                                     &contact);
    if (contact == LODE__NONE || !bucket_is_contact(next->bucket))
        return;
    const char *bytes = (const char *)solver->contacts[contact];
    for (size_t at = 0; at < sizeof(lode__manifold); at += 64)
        __builtin_prefetch(bytes + at, 1);
    __builtin_prefetch(bytes + sizeof(lode__manifold) - 1, 1);
}

/* Lists the constraints of which something can be pushed, and joins what they hold together, by
 * place, in `parent` (core/union_find.h); false when out of memory. */
bool lode__constraints_list(lode__solver *solver, const lode__step *step, uint32_t *parent);

/* colours.c: chooses the colours of all joints and contacts between places. `used` has a word for
 * each place and one before, zeroed: bit i is colour i, pair colours, then static ones. */
void lode__colours_choose(const lode__solve_state *state, uint32_t *used);

/* shares.c: cuts the large groups into shares, one for each thread, given the line of each place,
 * the place of each line, and room for as many places; changes the order of the places within a
 * group, but not the line of each place. False when out of memory. */
bool lode__shares_cut(const lode__solver *solver, const uint32_t *lines, uint32_t *places,
                      uint32_t *scratch, const lode__step *step);

/* The same file: learns the threads' pace from how long the turns of this step have taken. */
void lode__shares_learn(lode__solver *solver);

/* The same file: the stretches of a group, of which no two have a line in common; null after the
 * last. */
lode__stretch *lode__group_stretch(const lode__solve_state *state, lode__group *group, uint32_t i);

/* The same file: has all stretches of all groups listed, in order. */
typedef void lode__list_stretch_fn(const lode__solver *solver, lode__stretch *stretch,
                                   const void *context);
void lode__stretches_list(const lode__solver *solver, lode__list_stretch_fn *list,
                          const void *context);

/* The same file: how long a list of `count` lines can become of which each stretch has whole
 * lanes. */
uint32_t lode__padded_most(const lode__solve_state *state, uint32_t count);

/* The same file: tells a constraint between lines whose it is. */
void lode__shares_give(const lode__solve_state *state, lode__constraint *c);

/* The same file: lists the bodies in common, when constraints have colours; false when out of
 * memory. */
bool lode__shares_list_common(const lode__solve_state *state, lode__group *group,
                              lode__arena *arena);

/* turns.c: lists the turns of groups with shares; false when out of memory. */
bool lode__turns_make(lode__solve_state *state, const lode__step *step);

/* Something that is done with all of a group: with its blocks, or with its lines. */
typedef void lode__chunk_fn(const void *context, const lode__solve_chunk *chunk);
typedef void lode__stretch_fn(const void *context, const lode__stretch *stretch);
typedef struct lode__pass {
    lode__chunk_fn *chunk;
    lode__stretch_fn *lines; /* when `chunk` is null */
    const void *context;
    uint32_t sweeps; /* over blocks colour by colour, so many times; 0: once, in no order */
    bool back;       /* a sweep solves contacts, and then joints from the last colour to the
                        first; else all from the first on */
} lode__pass;

/* Runs one pass after another. If the group has shares, those of one colour run at the same time,
 * where possible on the threads that had them last, and who is done with a pass goes on with the
 * next: no thread waits for more than the others' edges. So a group of which something found no
 * colour takes one pass at a time.
 *
 * `begun`, if not null, hears of each pass: on one thread at a time, in order, but on any. */
typedef void lode__pass_begun_fn(void *context, uint32_t pass);
void lode__passes_run(const lode__solve_state *state, lode__group *group, lode__tasks *tasks,
                      const lode__pass *passes, uint32_t count, lode__pass_begun_fn *begun,
                      void *begun_context);

/* Does something with all lines of a group, or with all that there are, each of those with shares
 * on the thread that has the share. */
void lode__group_lines_run(const lode__group *group, uint32_t shares, lode__tasks *tasks,
                           lode__task_fn *run, void *context);
void lode__lines_run(const lode__solve_state *state, lode__tasks *tasks, lode__task_fn *run,
                     void *context);

/* Does something with all blocks of all groups but those that go through, in no order; with those
 * of large ones by share. */
void lode__blocks_run(const lode__solve_state *state, lode__tasks *tasks, lode__chunk_fn *run,
                      const void *context);

/* layout.c: bytes of a block. */
uint32_t lode__bucket_stride(int bucket);

/* The same file: makes blocks and chunks for lanes that have been counted, in solving order, and
 * tells the step's statistics. The counts in groups and shares become the next free lane of their
 * colour and bucket; of the rest, the first one. `out_lanes`, lanes of all blocks, are
 * LODE__NONE. False when out of memory. */
bool lode__blocks_lay_out(lode__solver *solver, const lode__step *step, uint32_t **out_lanes);

/* held.c: marks what holds the bodies, by line; false when out of memory. */
bool lode__held_mark(lode__solve_state *state, const lode__step *step);

/* spinners.c: lists the bodies whose inertia turns with them, of lines for which `spins` is true;
 * false when out of memory. */
bool lode__spinners_list(lode__solver *solver, const bool *spins, lode__arena *arena);

/* The same file: those that tense joints have made stiff turn theirs no more in this step. */
void lode__spinners_keep_stiff(lode__solve_state *state);

/* turners.c: lists the bodies that turn by a rule of their own, given all flags that any movable
 * body has; false when out of memory. */
bool lode__turners_list(lode__solver *solver, lode__arena *arena, uint32_t flags_seen);

/* flyers.c: lists the bodies that nothing touches or holds, for worlds that ask; false when out of
 * memory. */
bool lode__flyers_list(lode__solver *solver, const lode__step *step);

/* restrain.c: reads the traits of bodies that have some, given all flags that any movable body has;
 * false when out of memory. */
bool lode__restraints_list(lode__solver *solver, lode__arena *arena, uint32_t flags_seen);

/* Limits the speeds of limits begin..end-1. */
void lode__speeds_limit(const lode__solve_state *state, uint32_t begin, uint32_t end);

/* motion.c: a sub-step of h seconds of the lines of a stretch: before their rows are solved, their
 * move, and what a second-order integrator does after it. */
void lode__lines_accelerate(const lode__solver *solver, const lode__step *step,
                            const lode__stretch *stretch, lode_real h);
void lode__lines_turn_inertia(const lode__solver *solver, const lode__stretch *stretch);
void lode__lines_move(const lode__solver *solver, const lode__step *step,
                      const lode__stretch *stretch, lode_real h);
void lode__lines_accelerate_after(const lode__solver *solver, const lode__step *step,
                                  const lode__stretch *stretch, lode_real h);

/* bounce.c: gives a group's contacts the speed with which they bounce; `relax` is of the pass. */
void lode__group_bounce(const lode__solver *solver, const lode__step *step,
                        const lode__softness *relax, lode__group *group);

/* through.c: brings the blocks of a group that goes through to a worker's bench. */
void lode__bench_take(const lode__solve_state *state, const lode__group *group, uint32_t worker);

/* The same file: what all such groups did of other stages, if they took so long together. */
lode__elsewhere lode__through_times(const lode__solve_state *state, uint64_t count);

/* prepare.c: fills the blocks of a group. */
void lode__group_prepare(const lode__solver *solver, const lode__step *step,
                         const lode__group *group);

/* finalise.c: gives the impulses of a group's blocks to its manifolds and joints. */
void lode__group_keep(const lode__solver *solver, const lode__step *step, const lode__group *group);

/* settle.c: solves joints of a chunk that hold exactly to the end, last before poses move. */
void lode__joints_settle(const lode__solver *solver, const lode__solve_chunk *chunk,
                         const lode__softness *softness);

/* The same file: are there such joints? */
bool lode__joints_must_settle(const lode__solve_state *state);

#endif

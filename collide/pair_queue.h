/* pair_queue.h: pairs on their way through the kernels that take eight at a time.
 *
 * Pairs of one cell of the matrix are added one after another; whenever eight are there they are
 * gathered, computed, and told to whoever added them. That a pair is in one batch or another
 * changes none of its bits.
 *
 * A batch of boxes costs what any of its pairs needs, and the pairs of a heap need different
 * things: most of them nothing once their axes are known. So boxes have a queue for each way of
 * touching, and those of which nothing is known beforehand go through their axes first and are
 * sorted by them. That is the way of a step; calls for many pairs, most of which touch, have less
 * of it than it costs, where their points go straight to the caller. */
#ifndef LODE_COLLIDE_PAIR_QUEUE_H
#define LODE_COLLIDE_PAIR_QUEUE_H

#include "collide/kernels.h"
#include "collide/narrow.h"

typedef struct lode__pair_queue {
    lode__pair_sources from;
    lode__pair_batch batch;
} lode__pair_queue;

/* Tells what came out for those lanes of a batch whose bits are set. */
typedef void lode__emit_fn(void *context, const lode__pair_queue *queue, unsigned lanes);

typedef struct lode__pair_stream {
    const lode__collide_kernels *kernels;
    lode__batch_fn *kernel; /* null: boxes */
    lode__emit_fn *emit;
    void *context;
    lode__pair_queue queue[LODE__BOX_WAYS]; /* pairs other than boxes use the first */
} lode__pair_stream;

/* How the pairs of a cell go eight at a time. */
typedef struct lode__lane_cell {
    bool any;     /* they do */
    bool alone;   /* one pair too, by the same text */
    bool boxes;   /* in their own way */
    bool swapped; /* the kernel takes the shapes the other way round */
    uint8_t most; /* points that there may be */
    lode__touch_kind kind;
} lode__lane_cell;

/* What becomes of the pairs of two types: a cell of the narrow phase's matrix, which stands in
 * collide/narrow.c. */
typedef struct lode__narrow_cell lode__narrow_cell;
struct lode__narrow_run;
struct lode__pair;
typedef void lode__narrow_fn(const struct lode__narrow_run *run, const lode__narrow_cell *cell,
                             const uint16_t *list, uint32_t count, struct lode__pair *pairs);

struct lode__narrow_cell {
    lode__narrow_fn *run;
    lode__touch_fn *touch;               /* one pair */
    lode__kernel_touch_fn *kernel_touch; /* or this, */
    bool swapped;                        /* taking the shapes the other way round */
    lode__lane_cell lanes;               /* eight pairs */
};

extern const lode__narrow_cell lode__narrow_matrix[LODE_SHAPE_TYPE_COUNT][LODE_SHAPE_TYPE_COUNT];

static inline const lode__lane_cell *lode__lane_cell_of(uint32_t type_a, uint32_t type_b)
{
    return &lode__narrow_matrix[type_a][type_b].lanes;
}

void lode__stream_begin(lode__pair_stream *out, const lode__collide_kernels *kernels,
                        const lode__lane_cell *cell, bool centered, lode_real speculative,
                        lode__emit_fn *emit, void *context);

/* The lanes that no pair has get shapes far apart. */
void lode__sources_fill_up(lode__pair_sources *from);

/* Computes a queue that is full, or as full as it gets. */
void lode__stream_flush(lode__pair_stream *stream, lode__pair_queue *queue);

/* Computes what waits. */
void lode__stream_end(lode__pair_stream *stream);

/* Adds a pair to one of the queues: `x` is its a (0) or b (1). The caller calls queue_set for both
 * and queue_push then. Without places, where all pairs of the stream are centered. */
static inline void queue_set(lode__pair_queue *queue, int x, const lode_real *size,
                             const lode__pose *body)
{
    queue->from.size[x][queue->from.used] = size;
    queue->from.body[x][queue->from.used] = (const lode_real *)body;
}

static inline void queue_set_placed(lode__pair_queue *queue, int x, const lode_real *size,
                                    const lode__pose *body, const lode__pose *place)
{
    queue_set(queue, x, size, body);
    queue->from.place[x][queue->from.used] = (const lode_real *)place;
}

static inline void queue_push(lode__pair_stream *stream, lode__pair_queue *queue, uint32_t name)
{
    queue->from.name[queue->from.used] = name;
    if (++queue->from.used == LODE_LANES)
        lode__stream_flush(stream, queue);
}

#endif

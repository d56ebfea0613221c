/* pair_queue.h: pairs on their way through the kernels that take eight at a time.
 *
 * Pairs of one cell of the matrix are added one after another; whenever eight are there they are
 * gathered, computed, and told to whoever added them. That a pair is in one batch or another
 * changes none of its bits.
 *
 * A batch of boxes costs what any of its pairs needs, and the pairs of a heap need different
 * things: most of them nothing once their axes are known. So boxes have a queue for each way of
 * touching, and those of which nothing is known beforehand go through their axes first and are
 * sorted by them. */
#ifndef LODE_COLLIDE_PAIR_QUEUE_H
#define LODE_COLLIDE_PAIR_QUEUE_H

#include "collide/kernels.h"

typedef struct lode__pair_queue {
    lode__pair_sources from;
    lode__pair_batch batch;
    uint32_t name[LODE_LANES]; /* the caller's, of each pair */
    int used;
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
    bool boxes;   /* in their own way */
    bool swapped; /* the kernel takes the shapes the other way round */
    lode__touch_kind kind;
} lode__lane_cell;

/* Of the cell of two types; in collide/narrow.c, where the matrix is. */
const lode__lane_cell *lode__lane_cell_of(uint32_t type_a, uint32_t type_b);

void lode__stream_begin(lode__pair_stream *out, const lode__collide_kernels *kernels,
                        const lode__lane_cell *cell, lode_real speculative, lode__emit_fn *emit,
                        void *context);

/* Computes a queue that is full, or as full as it gets. */
void lode__stream_flush(lode__pair_stream *stream, lode__pair_queue *queue);

/* Computes what waits. */
void lode__stream_end(lode__pair_stream *stream);

/* Adds a pair to one of the queues: `x` is its a (0) or b (1). The caller calls queue_set for both
 * and queue_push then. */
static inline void queue_set(lode__pair_queue *queue, int x, const lode_real *size,
                             const lode_real *arm, const lode_real *turn, const lode_real *body)
{
    int lane = queue->used;
    queue->from.size[x][lane] = size;
    queue->from.arm[x][lane] = arm;
    queue->from.turn[x][lane] = turn;
    queue->from.body[x][lane] = body;
}

static inline void queue_push(lode__pair_stream *stream, lode__pair_queue *queue, uint32_t name)
{
    queue->name[queue->used] = name;
    if (++queue->used == LODE_LANES)
        lode__stream_flush(stream, queue);
}

#endif

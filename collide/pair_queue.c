/* pair_queue.c: see pair_queue.h. */
#include "collide/pair_queue.h"

void lode__stream_begin(lode__pair_stream *out, const lode__collide_kernels *kernels,
                        const lode__lane_cell *cell, lode_real speculative, lode__emit_fn *emit,
                        void *context)
{
    out->kernels = kernels;
    out->kernel = cell->boxes ? NULL : kernels->touch[cell->kind];
    out->emit = emit;
    out->context = context;
    for (int way = 0; way < (cell->boxes ? LODE__BOX_WAYS : 1); ++way) {
        lode__pair_queue *queue = &out->queue[way];
        queue->batch.speculative = speculative;
        queue->batch.used = LODE_LANES;
        queue->batch.swapped = cell->swapped;
        queue->used = 0;
    }
}

/* Two unit shapes far apart in lanes that no pair has. */
static void fill_up(lode__pair_queue *queue)
{
    static const lode_real size[4] = {1, 1, 1, 1}, turn[4] = {1, 0, 0, 0}, zero[4];
    static const lode_real far[4] = {1000, 0, 0, 0};
    for (int lane = queue->used; lane < LODE_LANES; ++lane)
        for (int x = 0; x < 2; ++x) {
            queue->from.size[x][lane] = size;
            queue->from.arm[x][lane] = zero;
            queue->from.turn[x][lane] = turn;
            queue->from.body[x][lane] = x ? far : zero;
        }
}

static void touch(lode__pair_stream *stream, lode__batch_fn *kernel, lode__pair_queue *queue)
{
    if (queue->used == 0)
        return;
    fill_up(queue);
    stream->kernels->gather(&queue->from, &queue->batch);
    kernel(&queue->batch);
    stream->emit(stream->context, queue, (1u << queue->used) - 1);
    queue->used = 0;
}

static void move(lode__pair_stream *stream, const lode__pair_queue *from, int lane,
                 lode__pair_queue *to)
{
    for (int x = 0; x < 2; ++x)
        queue_set(to, x, from->from.size[x][lane], from->from.arm[x][lane],
                  from->from.turn[x][lane], from->from.body[x][lane]);
    queue_push(stream, to, from->name[lane]);
}

/* Boxes that are apart have no points; the others go to their queues. */
static void sort_boxes(lode__pair_stream *stream)
{
    lode__pair_queue *apart = &stream->queue[LODE__BOXES_APART];
    if (apart->used == 0)
        return;
    unsigned lanes = 0;
    fill_up(apart);
    stream->kernels->gather(&apart->from, &apart->batch);
    stream->kernels->box_way(&apart->batch);
    for (int lane = 0; lane < apart->used; ++lane) {
        int way = (int)apart->batch.count.x[lane];
        if (way == LODE__BOXES_APART)
            lanes |= 1u << lane;
        else
            move(stream, apart, lane, &stream->queue[way]);
    }
    if (lanes)
        stream->emit(stream->context, apart, lanes);
    apart->used = 0;
}

void lode__stream_flush(lode__pair_stream *stream, lode__pair_queue *queue)
{
    if (stream->kernel)
        touch(stream, stream->kernel, queue);
    else if (queue == &stream->queue[LODE__BOXES_APART])
        sort_boxes(stream);
    else
        touch(stream, stream->kernels->box_box, queue);
}

void lode__stream_end(lode__pair_stream *stream)
{
    for (int way = 0; way < (stream->kernel ? 1 : LODE__BOX_WAYS); ++way)
        lode__stream_flush(stream, &stream->queue[way]);
}

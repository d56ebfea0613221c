/* pair_queue.c: see pair_queue.h. */
#include "collide/pair_queue.h"

void lode__stream_begin(lode__pair_stream *out, const lode__collide_kernels *kernels,
                        const lode__lane_cell *cell, bool centered, lode_real speculative,
                        lode__emit_fn *emit, void *context)
{
    out->kernels = kernels;
    out->kernel = cell->boxes ? NULL : kernels->touch[cell->kind];
    out->emit = emit;
    out->context = context;
    for (int way = 0; way < (cell->boxes ? LODE__BOX_WAYS : 1); ++way) {
        lode__pair_queue *queue = &out->queue[way];
        queue->batch.speculative = speculative;
        queue->batch.used = LODE_LANES;
        queue->batch.swapped = queue->from.swapped = cell->swapped;
        queue->from.centered = centered;
        queue->from.sizes = NULL;
        queue->from.used = 0;
    }
}

void lode__sources_fill_up(lode__pair_sources *from)
{
    static const lode_real unit[4] = {1, 1, 1, 1};
    static const lode__pose middle = {.rotation = {1, 0, 0, 0}};
    static const lode__pose far = {.position = {1000, 0, 0}, .rotation = {1, 0, 0, 0}};
    for (int lane = from->used; lane < LODE_LANES; ++lane)
        for (int x = 0; x < 2; ++x) {
            from->size[x][lane] = unit;
            from->name[lane] = 0;
            from->place[x][lane] = (const lode_real *)&middle;
            from->body[x][lane] = (const lode_real *)(x ? &far : &middle);
        }
}

static void touch(lode__pair_stream *stream, lode__batch_fn *kernel, lode__pair_queue *queue)
{
    if (queue->from.used == 0)
        return;
    lode__sources_fill_up(&queue->from);
    stream->kernels->gather(&queue->from, &queue->batch);
    kernel(&queue->batch);
    stream->emit(stream->context, queue, (1u << queue->from.used) - 1);
    queue->from.used = 0;
}

static void move(lode__pair_stream *stream, const lode__pair_queue *from, int lane,
                 lode__pair_queue *to)
{
    int at = to->from.used;
    for (int x = 0; x < 2; ++x) {
        to->from.size[x][at] = from->from.size[x][lane];
        to->from.body[x][at] = from->from.body[x][lane];
        if (!from->from.centered)
            to->from.place[x][at] = from->from.place[x][lane];
    }
    queue_push(stream, to, from->from.name[lane]);
}

/* Boxes that are apart have no points; the others go to their queues. */
static void sort_boxes(lode__pair_stream *stream)
{
    lode__pair_queue *apart = &stream->queue[LODE__BOXES_APART];
    if (apart->from.used == 0)
        return;
    unsigned lanes = 0;
    lode__sources_fill_up(&apart->from);
    stream->kernels->gather(&apart->from, &apart->batch);
    stream->kernels->box_way(&apart->batch);
    for (int lane = 0; lane < apart->from.used; ++lane) {
        int way = (int)apart->batch.count.x[lane];
        if (way == LODE__BOXES_APART)
            lanes |= 1u << lane;
        else
            move(stream, apart, lane, &stream->queue[way]);
    }
    if (lanes)
        stream->emit(stream->context, apart, lanes);
    apart->from.used = 0;
}

void lode__stream_flush(lode__pair_stream *stream, lode__pair_queue *queue)
{
    if (stream->kernel)
        touch(stream, stream->kernel, queue);
    else if (queue == &stream->queue[LODE__BOXES_APART])
        sort_boxes(stream);
    else
        touch(stream, stream->kernels->touch[LODE__TOUCH_BOX_BOX], queue);
}

void lode__stream_end(lode__pair_stream *stream)
{
    for (int way = 0; way < (stream->kernel ? 1 : LODE__BOX_WAYS); ++way)
        lode__stream_flush(stream, &stream->queue[way]);
}

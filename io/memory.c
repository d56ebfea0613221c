/* memory.c: see memory.h. Blocks hang in a list, in both directions. */
#include "io/memory.h"

#include <stdint.h>
#include <stdlib.h>

struct lode__io_block {
    _Alignas(max_align_t) lode__io_block *next;
    lode__io_block *before;
};

static void hang(lode__io_memory *memory, lode__io_block *block)
{
    block->next = memory->first;
    block->before = NULL;
    if (block->next)
        block->next->before = block;
    memory->first = block;
}

static void take_off(lode__io_memory *memory, lode__io_block *block)
{
    if (block->before)
        block->before->next = block->next;
    else
        memory->first = block->next;
    if (block->next)
        block->next->before = block->before;
}

void *lode__io_realloc(void *memory, void *block, size_t size)
{
    lode__io_memory *m = memory;
    lode__io_block *old = block ? (lode__io_block *)block - 1 : NULL;
    if (old)
        take_off(m, old);
    lode__io_block *made = size <= PTRDIFF_MAX - sizeof *made ? realloc(old, sizeof *made + size)
                                                              : NULL;
    if (made)
        hang(m, made);
    else if (old)
        hang(m, old);
    if (!made)
        longjmp(*m->out, 1);
    return made + 1;
}

void *lode__io_alloc(void *memory, size_t size)
{
    return lode__io_realloc(memory, NULL, size);
}

void lode__io_free(void *memory, void *block)
{
    if (!block)
        return;
    lode__io_block *old = (lode__io_block *)block - 1;
    take_off(memory, old);
    free(old);
}

bool lode__io_run(lode__io_memory *memory, void (*work)(lode__io_memory *memory, void *data),
                  void *data)
{
    jmp_buf out;
    memory->out = &out;
    memory->first = NULL;
    memory->file = NULL;
    bool done = setjmp(out) == 0;
    if (done)
        work(memory, data);
    while (memory->first)
        lode__io_free(memory, memory->first + 1);
    if (memory->file)
        fclose(memory->file);
    return done;
}

/* memory.h: the memory of one call.
 *
 * The parser does not ask whether it was given memory. So a call runs inside lode__io_run(): where
 * there is none, the call is left at once, whoever asked, and what it took is given back, a file
 * that it reads too. What a call holds besides is therefore opened and closed outside, or while
 * nothing is asked for. */
#ifndef LODE_IO_MEMORY_H
#define LODE_IO_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct lode__io_block lode__io_block;

typedef struct lode__io_memory {
    lode__io_block *first;
    FILE *file; /* that is read; null: none */
    jmp_buf
        *out; /* where it leads to when there is none; who must not be left half-way sets his own */
} lode__io_memory;

/* Runs `work`. False: there was not enough memory, and it was left where it asked. */
bool lode__io_run(lode__io_memory *memory, void (*work)(lode__io_memory *memory, void *data),
                  void *data);

/* Never null. `memory` is a lode__io_memory; the parser knows it as a void pointer. */
void *lode__io_alloc(void *memory, size_t size);
void *lode__io_realloc(void *memory, void *block, size_t size);
void lode__io_free(void *memory, void *block);

#endif

/* materials_text.h: tables of contact properties out of text and into it, inside lode__io_run(). */
#ifndef LODE_IO_MATERIALS_TEXT_H
#define LODE_IO_MATERIALS_TEXT_H

#include "io/memory.h"
#include "lode/material.h"

/* Reads and gives the world what it read; a failure is reported as one of `function`. */
lode_status lode__io_materials_read(lode__io_memory *memory, lode_world world, const char *name,
                                    const char *text, size_t size, const char *function);

/* The text lies in `memory`. Null: it could not be made, which is reported. */
const char *lode__io_materials_write(lode__io_memory *memory, lode_world world, size_t *out_size,
                                     const char *function);

#endif

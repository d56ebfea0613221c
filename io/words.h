/* words.h: words and numbers of plain text. */
#ifndef LODE_IO_WORDS_H
#define LODE_IO_WORDS_H

#include "io/memory.h"

/* The next word before `end`, of what is neither space nor control character; `*at` is then behind
 * it. Null: there is none. */
const char *lode__io_next_word(const char **at, const char *end, size_t *out_length);

/* A decimal number, finite in the precision of the library too. False: the word is none. */
bool lode__io_word_number(lode__io_memory *memory, const char *word, size_t length, double *out);

#endif

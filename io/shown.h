/* shown.h: text of a file within a message. It may hold any characters, messages none that break a
 * line. */
#ifndef LODE_IO_SHOWN_H
#define LODE_IO_SHOWN_H

#include <stddef.h>
#include <string.h>

typedef struct lode__io_shown {
    char text[44];
} lode__io_shown;

static inline lode__io_shown lode__io_show(const char *text, size_t size)
{
    lode__io_shown s;
    size_t length = size < 40 ? size : 40;
    for (size_t i = 0; i < length; ++i)
        s.text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    strcpy(s.text + length, length < size ? "..." : "");
    return s;
}

#endif

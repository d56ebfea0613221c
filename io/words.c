/* words.c: see words.h. */
#include "io/words.h"

#include "io/number.h"

#include <math.h>

static bool is_space(char c)
{
    return (unsigned char)c <= ' ';
}

const char *lode__io_next_word(const char **at, const char *end, size_t *out_length)
{
    const char *word = *at;
    while (word < end && is_space(*word))
        ++word;
    const char *after = word;
    while (after < end && !is_space(*after))
        ++after;
    *at = after;
    *out_length = (size_t)(after - word);
    return after > word ? word : NULL;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        ++at;
    return at;
}

static const char *skip_sign(const char *at, const char *end)
{
    return at < end && (*at == '+' || *at == '-') ? at + 1 : at;
}

/* What the C library would read besides, "inf" and hexadecimal digits above all, is no number. */
static bool is_decimal(const char *at, const char *end)
{
    at = skip_sign(at, end);
    const char *whole = skip_digits(at, end), *part = whole;
    size_t digits = (size_t)(whole - at);
    if (whole < end && *whole == '.') {
        part = skip_digits(whole + 1, end);
        digits += (size_t)(part - whole) - 1;
    }
    if (digits > 0 && part < end && (*part == 'e' || *part == 'E')) {
        at = skip_sign(part + 1, end);
        part = skip_digits(at, end);
        digits = (size_t)(part - at);
    }
    return digits > 0 && part == end;
}

bool lode__io_word_number(lode__io_memory *memory, const char *word, size_t length, double *out)
{
    if (!is_decimal(word, word + length))
        return false;
    lode__io_number number = lode__io_number_read(memory, word, length);
    *out = number.wide;
    return isfinite(number.wide) && isfinite(number.value);
}

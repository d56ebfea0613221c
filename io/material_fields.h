/* material_fields.h: the fields of lode_contact_properties as keys of JSON, with their ranges. */
#ifndef LODE_IO_MATERIAL_FIELDS_H
#define LODE_IO_MATERIAL_FIELDS_H

#include "lode/material.h"

typedef enum lode__io_kind {
    LODE__IO_NAME,
    LODE__IO_REALS,
    LODE__IO_WHOLE,
    LODE__IO_SIDE /* one of lode__io_sides */
} lode__io_kind;

/* By lode_immovable. */
extern const char *const lode__io_sides[LODE_IMMOVABLE_COUNT];

typedef struct lode__io_field {
    const char *key;
    lode__io_kind kind;
    int least, most; /* how many values; where one is enough it may stand without an array, where
                        one is all it must */
    size_t offset;   /* in lode_contact_properties */
    size_t count;    /* the offset of the number of values; 0: it is always `most` */
    bool (*is_good)(double x);
    const char *fault; /* what x must be */
} lode__io_field;

enum { LODE__IO_FIELDS = 15 };

extern const lode__io_field lode__io_material_fields[LODE__IO_FIELDS];

static inline void *lode__io_place(const lode__io_field *field, lode_contact_properties *p)
{
    return (char *)p + field->offset;
}

static inline int *lode__io_count(const lode__io_field *field, lode_contact_properties *p)
{
    return field->count ? (int *)(void *)((char *)p + field->count) : NULL;
}

#endif

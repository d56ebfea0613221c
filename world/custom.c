/* custom.c: objects of the application's classes; see lode/custom.h. */
#include "collide/custom.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "world/check.h"

static size_t bytes_of(const lode_custom_class *own)
{
    return sizeof(lode_custom) + (size_t)own->data_size;
}

static void end(lode__shape_data *data)
{
    lode_custom *custom = (lode_custom *)data;
    if (custom->own->destroy)
        custom->own->destroy(custom->bytes);
    lode__free(custom, bytes_of(custom->own));
}

static lode_status check_class(const lode_custom_class *own, const void *data)
{
    static const char function[] = "lode_custom_create";
    lode_status status = lode__check_not_null(own, function, "custom_class");
    if (!status)
        status = lode__check(own->name != NULL, function, "custom_class.name", "must not be null");
    if (!status)
        status = lode__check(own->bounds || own->support, function, "custom_class.bounds",
                             "must not be null without a support function");
    if (!status)
        status = lode__check(own->select || own->support, function, "custom_class.select",
                             "must not be null without a support function");
    if (!status)
        status = lode__check(own->data_size >= 0, function, "custom_class.data_size",
                             "must be at least 0");
    return status ? status
                  : lode__check(data || own->data_size == 0, function, "data", "must not be null");
}

/* Along each axis, either way. */
static bool has_support(const lode_custom *custom)
{
    bool good = true;
    for (int i = 0; i < 6 && good; ++i) {
        double sign = i & 1 ? -1 : 1;
        lode__double3 at,
            along = d3(i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0);
        good = !custom->own->support || lode__custom_support_at(custom, along, &at);
    }
    return good;
}

static lode_status check_object(const lode_custom *custom, const char *function)
{
    lode_status status = lode__check(has_support(custom), function, "custom_class.support",
                                     "must give finite points within 1e9");
    lode_bounds box;
    return status ? status
                  : lode__check(lode__custom_box(custom, q_identity(), &box), function,
                                "custom_class.bounds",
                                "must give a box within 1e9, lower not above upper");
}

lode_custom *lode_custom_create(const lode_custom_class *custom_class, const void *data)
{
    if (check_class(custom_class, data))
        return NULL;
    size_t size = (size_t)custom_class->data_size;
    lode_custom *custom = lode__alloc(bytes_of(custom_class));
    if (!custom) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return NULL;
    }
    custom->own = custom_class;
    if (size > 0)
        memcpy(custom->bytes, data, size);
    if (check_object(custom, __func__)) {
        lode__free(custom, bytes_of(custom_class));
        return NULL;
    }
    if (custom_class->support)
        lode__custom_measure(custom);
    uint64_t hash = lode__hash_bytes(LODE_CUSTOM, custom_class->name, strlen(custom_class->name));
    hash = lode__hash_word(hash, size);
    lode__data_begin(&custom->data, LODE_CUSTOM, lode__hash_bytes(hash, custom->bytes, size), end);
    return custom;
}

void lode_custom_release(lode_custom *custom)
{
    if (custom)
        lode__data_release(&custom->data);
}

const lode_custom_class *lode_custom_get_class(const lode_custom *custom)
{
    return custom ? custom->own : NULL;
}

const void *lode_custom_get_data(const lode_custom *custom)
{
    return custom ? custom->bytes : NULL;
}

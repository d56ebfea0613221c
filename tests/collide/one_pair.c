/* one_pair.c: see one_pair.h. */
#include "tests/collide/one_pair.h"

#include "collide/pair_lanes.h"

static void touch_one(lode__batch_fn *kernel, const lode__shape_view *a, const lode__shape_view *b,
                      lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__pair_batch batch;
    batch.speculative = speculative;
    batch.used = 1;
    batch.swapped = false;
    lanes_set_pair(&batch, 0, a, b, offset, v3_zero());
    kernel(&batch);
    lanes_get_touch(&batch, out);
}

#define ONE(text, NAME, MOST) \
    void lode__touch_##text(const lode__shape_view *a, const lode__shape_view *b, \
                            lode_vec3 offset, lode_real speculative, lode__touch *out) \
    { \
        touch_one(lode__collide_kernels_plain.touch[LODE__TOUCH_##NAME], a, b, offset, \
                  speculative, out); \
    }
LODE__TOUCH_KERNELS(ONE)

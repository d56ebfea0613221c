/* fuzz_pairs.c: any two shapes anywhere: their contacts and what queries say about them, against
 * the oracle of forms.h; then one of them is sent on its way as a continuous body, or more shapes
 * join both; then a few steps, after which all numbers are still numbers. */
#include "tests/fuzz/pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, data + size};
    static pair p;
    fuzz_quiet();
    if (pair_create(&p, &in)) {
        pair_check_queries(&p, &in);
        pair_check_collide(&p);
        pair_check_contacts(&p);
        uint32_t more = fuzz_below(&in, 3);
        if (more == 1)
            pair_check_company(&p, &in);
        else if (more == 2)
            pair_check_course(&p, &in);
        for (int i = 0; i < 2; ++i)
            FUZZ_CHECK(lode_world_step(p.world, (lode_real)1 / 60) == LODE_OK, "step");
        lode_vec3 at = lode_body_get_pose(p.a.body).position,
                  other = lode_body_get_pose(p.b.body).position;
        FUZZ_CHECK(isfinite(at.x + at.y + at.z) && isfinite(other.x + other.y + other.z), "poses");
    }
    pair_destroy(&p);
    return 0;
}

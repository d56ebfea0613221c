/* contact_kinds.inl: the kernels over contact blocks, for 1 to 4 points, between two bodies or
 * against a static one. */

#define BLOCK_LOOP(call) \
    char *at = blocks; \
    for (uint32_t i = 0; i < count; ++i, at += stride) { \
        lode__contact_block *b = (lode__contact_block *)(void *)at; \
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) \
            call; \
    }

#define CONTACT_KERNEL(verb, suffix, points, pair) \
    static void verb##_##suffix(void *blocks, uint32_t count, size_t stride, \
                                const lode__dense *lines, const lode__softness *s) \
    { \
        BLOCK_LOOP(contact_##verb(b, lines, s, lane, points, pair)) \
    }

#define CONTACT_KERNELS(suffix, points, pair) \
    CONTACT_KERNEL(prepare, suffix, points, pair) \
    CONTACT_KERNEL(refresh, suffix, points, pair) \
    CONTACT_KERNEL(warm_start, suffix, points, pair) \
    CONTACT_KERNEL(solve, suffix, points, pair) \
    CONTACT_KERNEL(restitution, suffix, points, pair)

#define CONTACT_ROW(suffix) \
    { \
        prepare_##suffix, refresh_##suffix, warm_start_##suffix, solve_##suffix, \
            restitution_##suffix \
    }

CONTACT_KERNELS(pair1, 1, true)
CONTACT_KERNELS(pair2, 2, true)
CONTACT_KERNELS(pair3, 3, true)
CONTACT_KERNELS(pair4, 4, true)
CONTACT_KERNELS(static1, 1, false)
CONTACT_KERNELS(static2, 2, false)
CONTACT_KERNELS(static3, 3, false)
CONTACT_KERNELS(static4, 4, false)

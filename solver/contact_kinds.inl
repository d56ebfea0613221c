/* contact_kinds.inl: the kernels over contact blocks, for 1 to 4 points: between two bodies, against
 * a static one, and in lanes that share bodies, of which b may be static. */

#define CONTACT_KERNEL(verb, suffix, points, pair) \
    static void verb##_##suffix(void *blocks, uint32_t count, size_t stride, \
                                const lode__dense *lines, const lode__softness *s) \
    { \
        BLOCK_LOOP(lode__contact_block, contact_##verb(b, lines, s, lane, points, pair, NULL)) \
    }

#define SHARED_CONTACT_KERNEL(verb, points) \
    static void verb##_shared##points(void *blocks, uint32_t count, size_t stride, \
                                      const lode__dense *lines, const lode__softness *s) \
    { \
        SHARED_LOOP(lode__contact_block, contact_##verb(b, lines, s, lane, points, true, &shared)) \
    }

#define CONTACT_KERNELS(suffix, points, pair) \
    CONTACT_KERNEL(prepare, suffix, points, pair) \
    CONTACT_KERNEL(refresh, suffix, points, pair) \
    CONTACT_KERNEL(warm_start, suffix, points, pair) \
    CONTACT_KERNEL(solve, suffix, points, pair) \
    CONTACT_KERNEL(solve_cone, suffix, points, pair) \
    CONTACT_KERNEL(solve_whole, suffix, points, pair) \
    CONTACT_KERNEL(solve_whole_cone, suffix, points, pair) \
    CONTACT_KERNEL(restitution, suffix, points, pair)

#define SHARED_CONTACT_KERNELS(points) \
    SHARED_CONTACT_KERNEL(prepare, points) \
    SHARED_CONTACT_KERNEL(warm_start, points) \
    SHARED_CONTACT_KERNEL(solve, points) \
    SHARED_CONTACT_KERNEL(solve_cone, points) \
    SHARED_CONTACT_KERNEL(solve_whole, points) \
    SHARED_CONTACT_KERNEL(solve_whole_cone, points) \
    SHARED_CONTACT_KERNEL(restitution, points)

#define CONTACT_ROW(suffix) \
    { \
        .prepare = prepare_##suffix, .refresh = refresh_##suffix, \
        .warm_start = warm_start_##suffix, .restitution = restitution_##suffix, .solve = { \
            solve_##suffix, \
            solve_cone_##suffix, \
            solve_whole_##suffix, \
            solve_whole_cone_##suffix \
        } \
    }

/* A refresh writes no body, so that of two bodies serves. */
#define SHARED_CONTACT_ROW(points) \
    { \
        .prepare = prepare_shared##points, .refresh = refresh_pair##points, \
        .warm_start = warm_start_shared##points, .restitution = restitution_shared##points, \
        .solve = { \
            solve_shared##points, \
            solve_cone_shared##points, \
            solve_whole_shared##points, \
            solve_whole_cone_shared##points \
        } \
    }

CONTACT_KERNELS(pair1, 1, true)
CONTACT_KERNELS(pair2, 2, true)
CONTACT_KERNELS(pair3, 3, true)
CONTACT_KERNELS(pair4, 4, true)
CONTACT_KERNELS(static1, 1, false)
CONTACT_KERNELS(static2, 2, false)
CONTACT_KERNELS(static3, 3, false)
CONTACT_KERNELS(static4, 4, false)
SHARED_CONTACT_KERNELS(1)
SHARED_CONTACT_KERNELS(2)
SHARED_CONTACT_KERNELS(3)
SHARED_CONTACT_KERNELS(4)

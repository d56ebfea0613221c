/* contact_kinds.inl: the kernels over contact blocks, for 1 to 4 points: between two bodies,
 * against a static one, and in lanes that share bodies, of which b may be static. */

/* What runs in every sub-step is compiled for each number of points, which lets the compiler unroll
 * its loops; what runs once in a step, seldom, or for few, is compiled once for all of them. */
#define CONTACT_LOOP(verb, suffix, loop, pair, shared) \
    LODE__ONE_COPY void verb##_##suffix(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s, \
                                        int points) \
    { \
        loop(lode__contact_block, contact_##verb(b, lines, s, lane, points, pair, shared)) \
    }

#define CONTACT_KERNEL(verb, suffix, points, pair) \
    static void verb##_##suffix##points(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s) \
    { \
        BLOCK_LOOP(lode__contact_block, contact_##verb(b, lines, s, lane, points, pair, NULL)) \
    }

#define CONTACT_SOLVER(verb, suffix, points, pair) \
    static void verb##_##suffix##points(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s) \
    { \
        TWOS_LOOP(lode__contact_block, \
                  ((pair) ? LODE__KIND_CONTACT : LODE__KIND_STATIC) + points - 1, verb, \
                  contact_##verb(b, lines, s, lane, points, pair, NULL)) \
    }

#define CONTACT_ENTRY(verb, suffix, points) \
    static void verb##_##suffix##points(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s) \
    { \
        verb##_##suffix(blocks, count, stride, lines, s, points); \
    }

#define CONTACT_LOOPS(suffix, pair) \
    CONTACT_LOOP(prepare, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(tell, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(again, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(part, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(let_go, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(solve_cone, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(solve_whole_cone, suffix, BLOCK_LOOP, pair, NULL) \
    CONTACT_LOOP(restitution, suffix, BLOCK_LOOP, pair, NULL)

#define CONTACT_KERNELS(suffix, points, pair) \
    CONTACT_KERNEL(refresh, suffix, points, pair) \
    CONTACT_KERNEL(warm_start, suffix, points, pair) \
    CONTACT_SOLVER(solve, suffix, points, pair) \
    CONTACT_SOLVER(solve_whole, suffix, points, pair) \
    CONTACT_ENTRY(prepare, suffix, points) \
    CONTACT_ENTRY(tell, suffix, points) \
    CONTACT_ENTRY(again, suffix, points) \
    CONTACT_ENTRY(part, suffix, points) \
    CONTACT_ENTRY(let_go, suffix, points) \
    CONTACT_ENTRY(solve_cone, suffix, points) \
    CONTACT_ENTRY(solve_whole_cone, suffix, points) \
    CONTACT_ENTRY(restitution, suffix, points)

#define SHARED_CONTACT_VERBS(do_this, ...) \
    do_this(prepare, shared, __VA_ARGS__) \
    do_this(warm_start, shared, __VA_ARGS__) \
    do_this(again, shared, __VA_ARGS__) \
    do_this(part, shared, __VA_ARGS__) \
    do_this(let_go, shared, __VA_ARGS__) \
    do_this(solve, shared, __VA_ARGS__) \
    do_this(solve_cone, shared, __VA_ARGS__) \
    do_this(solve_whole, shared, __VA_ARGS__) \
    do_this(solve_whole_cone, shared, __VA_ARGS__) \
    do_this(restitution, shared, __VA_ARGS__)

#define CONTACT_ROW(suffix) \
    { \
        .prepare = prepare_##suffix, .refresh = refresh_##suffix, \
        .warm_start = warm_start_##suffix, .again = again_##suffix, .tell = tell_##suffix, \
        .part = part_##suffix, .restitution = restitution_##suffix, .let_go = let_go_##suffix, \
        .solve = { \
            solve_##suffix, \
            solve_cone_##suffix, \
            solve_whole_##suffix, \
            solve_whole_cone_##suffix \
        } \
    }

/* Refreshing and telling write no body, so those of two bodies serve. */
#define SHARED_CONTACT_ROW(points) \
    { \
        .prepare = prepare_shared##points, .refresh = refresh_pair##points, \
        .warm_start = warm_start_shared##points, .again = again_shared##points, \
        .tell = tell_pair##points, .part = part_shared##points, \
        .restitution = restitution_shared##points, .let_go = let_go_shared##points, \
        .solve = { \
            solve_shared##points, \
            solve_cone_shared##points, \
            solve_whole_shared##points, \
            solve_whole_cone_shared##points \
        } \
    }

CONTACT_LOOPS(pair, true)
CONTACT_KERNELS(pair, 1, true)
CONTACT_KERNELS(pair, 2, true)
CONTACT_KERNELS(pair, 3, true)
CONTACT_KERNELS(pair, 4, true)
CONTACT_LOOPS(static, false)
CONTACT_KERNELS(static, 1, false)
CONTACT_KERNELS(static, 2, false)
CONTACT_KERNELS(static, 3, false)
CONTACT_KERNELS(static, 4, false)
SHARED_CONTACT_VERBS(CONTACT_LOOP, SHARED_LOOP, true, &shared)
SHARED_CONTACT_VERBS(CONTACT_ENTRY, 1)
SHARED_CONTACT_VERBS(CONTACT_ENTRY, 2)
SHARED_CONTACT_VERBS(CONTACT_ENTRY, 3)
SHARED_CONTACT_VERBS(CONTACT_ENTRY, 4)

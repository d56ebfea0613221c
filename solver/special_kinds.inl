/* special_kinds.inl: the kernels over special contact blocks, for 1 to 4 points: one text for all
 * of them, for two bodies of which b may be static, and for lanes that share bodies. */

#define SPECIAL_LOOP(verb, suffix, loop, shared) \
    LODE__ONE_COPY void special_##verb##_##suffix(void *blocks, uint32_t count, size_t stride, \
                                                  const lode__dense *lines, \
                                                  const lode__softness *s, int points) \
    { \
        loop(lode__contact_block, special_##verb(b, lines, s, lane, points, true, shared)) \
    }

#define SPECIAL_ENTRY(verb, suffix, points) \
    static void special_##verb##_##suffix##points(void *blocks, uint32_t count, size_t stride, \
                                                  const lode__dense *lines, \
                                                  const lode__softness *s) \
    { \
        special_##verb##_##suffix(blocks, count, stride, lines, s, points); \
    }

#define SPECIAL_ENTRIES(points) \
    SPECIAL_ENTRY(prepare, pair, points) \
    SPECIAL_ENTRY(refresh, pair, points) \
    SPECIAL_ENTRY(warm_start, pair, points) \
    SPECIAL_ENTRY(again, pair, points) \
    SPECIAL_ENTRY(solve, pair, points) \
    SPECIAL_ENTRY(tell, pair, points) \
    SPECIAL_ENTRY(part, pair, points) \
    SPECIAL_ENTRY(let_go, pair, points) \
    SPECIAL_ENTRY(restitution, pair, points) \
    SPECIAL_ENTRY(prepare, shared, points) \
    SPECIAL_ENTRY(warm_start, shared, points) \
    SPECIAL_ENTRY(again, shared, points) \
    SPECIAL_ENTRY(part, shared, points) \
    SPECIAL_ENTRY(let_go, shared, points) \
    SPECIAL_ENTRY(solve, shared, points) \
    SPECIAL_ENTRY(restitution, shared, points)

/* Friction of all models is in one: the lanes say which. Refreshing and telling write no body. */
#define SPECIAL_ROW(suffix, points) \
    { \
        .prepare = special_prepare_##suffix##points, .refresh = special_refresh_pair##points, \
        .warm_start = special_warm_start_##suffix##points, \
        .again = special_again_##suffix##points, .tell = special_tell_pair##points, \
        .part = special_part_##suffix##points, \
        .restitution = special_restitution_##suffix##points, \
        .let_go = special_let_go_##suffix##points, .solve = { \
            special_solve_##suffix##points, \
            special_solve_##suffix##points, \
            special_solve_##suffix##points, \
            special_solve_##suffix##points \
        } \
    }

SPECIAL_LOOP(prepare, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(refresh, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(warm_start, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(again, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(solve, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(tell, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(part, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(let_go, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(restitution, pair, BLOCK_LOOP, NULL)
SPECIAL_LOOP(prepare, shared, SHARED_LOOP, &shared)
SPECIAL_LOOP(warm_start, shared, SHARED_LOOP, &shared)
SPECIAL_LOOP(again, shared, SHARED_LOOP, &shared)
SPECIAL_LOOP(part, shared, SHARED_LOOP, &shared)
SPECIAL_LOOP(let_go, shared, SHARED_LOOP, &shared)
SPECIAL_LOOP(solve, shared, SHARED_LOOP, &shared)
SPECIAL_LOOP(restitution, shared, SHARED_LOOP, &shared)
SPECIAL_ENTRIES(1)
SPECIAL_ENTRIES(2)
SPECIAL_ENTRIES(3)
SPECIAL_ENTRIES(4)

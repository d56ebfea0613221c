/* row_kinds.inl: the kernels over row blocks, for 1 to LODE__JOINT_ROWS rows: joints that share no
 * bodies, and those that do. */

/* As with contacts: sub-steps' kernels for each number of rows, the others once for all; from four
 * rows on, where their loops are not unrolled any more, those of sub-steps too. */
#define ROW_LOOP(verb, suffix, loop, shared) \
    LODE__ONE_COPY void verb##_##suffix(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s, \
                                        int rows) \
    { \
        loop(lode__row_block, rows_##verb(b, lines, s, lane, rows, shared)) \
    }

#define ROW_KERNEL(verb, n) \
    static void verb##_rows##n(void *blocks, uint32_t count, size_t stride, \
                               const lode__dense *lines, const lode__softness *s) \
    { \
        BLOCK_LOOP(lode__row_block, rows_##verb(b, lines, s, lane, n, NULL)) \
    }

#define ROW_SOLVE_LOOP(verb, n) \
    TWOS_LOOP(lode__row_block, LODE__KIND_ROWS + (n) - 1, verb, \
              rows_##verb(b, lines, s, lane, n, NULL))

#define ROW_SOLVER(verb, n) \
    static void verb##_rows##n(void *blocks, uint32_t count, size_t stride, \
                               const lode__dense *lines, const lode__softness *s) \
    { \
        ROW_SOLVE_LOOP(verb, n) \
    }

#define ROW_SOLVER_MANY(verb) \
    LODE__ONE_COPY void verb##_rows(void *blocks, uint32_t count, size_t stride, \
                                    const lode__dense *lines, const lode__softness *s, int rows) \
    { \
        ROW_SOLVE_LOOP(verb, rows) \
    }

#define ROW_ENTRY(verb, suffix, n) \
    static void verb##_##suffix##n(void *blocks, uint32_t count, size_t stride, \
                                   const lode__dense *lines, const lode__softness *s) \
    { \
        verb##_##suffix(blocks, count, stride, lines, s, n); \
    }

#define ROW_ENTRIES(n) \
    ROW_ENTRY(prepare, rows, n) \
    ROW_ENTRY(put_back, rows, n) \
    ROW_ENTRY(again, rows, n) \
    ROW_ENTRY(tell, rows, n) \
    ROW_ENTRY(prepare, shared_rows, n) \
    ROW_ENTRY(warm_start, shared_rows, n) \
    ROW_ENTRY(again, shared_rows, n) \
    ROW_ENTRY(solve, shared_rows, n) \
    ROW_ENTRY(solve_back, shared_rows, n)

#define ROW_KERNELS_FEW(n) \
    ROW_KERNEL(refresh, n) \
    ROW_KERNEL(warm_start, n) \
    ROW_SOLVER(solve, n) \
    ROW_SOLVER(solve_back, n) \
    ROW_ENTRIES(n)

#define ROW_KERNELS_MANY(n) \
    ROW_ENTRY(refresh, rows, n) \
    ROW_ENTRY(warm_start, rows, n) \
    ROW_ENTRY(solve, rows, n) \
    ROW_ENTRY(solve_back, rows, n) \
    ROW_ENTRIES(n)

#define ROW_ROW(rows) \
    { \
        .prepare = prepare_rows##rows, .put_back = put_back_rows##rows, \
        .refresh = refresh_rows##rows, .warm_start = warm_start_rows##rows, \
        .again = again_rows##rows, .tell = tell_rows##rows, .solve_back = solve_back_rows##rows, \
        .solve = { \
            solve_rows##rows, \
            solve_rows##rows, \
            solve_rows##rows, \
            solve_rows##rows \
        } \
    }

#define SHARED_ROW_ROW(rows) \
    { \
        .prepare = prepare_shared_rows##rows, .put_back = put_back_rows##rows, \
        .refresh = refresh_rows##rows, .warm_start = warm_start_shared_rows##rows, \
        .again = again_shared_rows##rows, .tell = tell_rows##rows, \
        .solve_back = solve_back_shared_rows##rows, .solve = { \
            solve_shared_rows##rows, \
            solve_shared_rows##rows, \
            solve_shared_rows##rows, \
            solve_shared_rows##rows \
        } \
    }

ROW_LOOP(prepare, rows, BLOCK_LOOP, NULL)
ROW_LOOP(refresh, rows, BLOCK_LOOP, NULL)
ROW_LOOP(warm_start, rows, BLOCK_LOOP, NULL)
ROW_LOOP(again, rows, BLOCK_LOOP, NULL)
ROW_LOOP(put_back, rows, BLOCK_LOOP, NULL)
ROW_LOOP(tell, rows, BLOCK_LOOP, NULL)
ROW_LOOP(prepare, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(warm_start, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(again, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(solve, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(solve_back, shared_rows, SHARED_LOOP, &shared)
ROW_SOLVER_MANY(solve)
ROW_SOLVER_MANY(solve_back)
ROW_KERNELS_FEW(1)
ROW_KERNELS_FEW(2)
ROW_KERNELS_FEW(3)
ROW_KERNELS_MANY(4)
ROW_KERNELS_MANY(5)
ROW_KERNELS_MANY(6)
ROW_KERNELS_MANY(7)
ROW_KERNELS_MANY(8)
ROW_KERNELS_MANY(9)
ROW_KERNELS_MANY(10)
ROW_KERNELS_MANY(11)
ROW_KERNELS_MANY(12)

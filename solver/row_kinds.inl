/* row_kinds.inl: the kernels over row blocks, for 1 to LODE__JOINT_ROWS rows: joints that share no
 * bodies, and those that do. */

/* As with contacts: sub-steps' kernels for each number of rows, the others once for all. */
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

#define ROW_SOLVER(n) \
    static void solve_rows##n(void *blocks, uint32_t count, size_t stride, \
                              const lode__dense *lines, const lode__softness *s) \
    { \
        TWOS_LOOP(lode__row_block, LODE__KIND_ROWS + n - 1, solve, \
                  rows_solve(b, lines, s, lane, n, NULL)) \
    }

#define ROW_ENTRY(verb, suffix, n) \
    static void verb##_##suffix##n(void *blocks, uint32_t count, size_t stride, \
                                   const lode__dense *lines, const lode__softness *s) \
    { \
        verb##_##suffix(blocks, count, stride, lines, s, n); \
    }

#define ROW_KERNELS(n) \
    ROW_KERNEL(refresh, n) \
    ROW_KERNEL(warm_start, n) \
    ROW_SOLVER(n) \
    ROW_ENTRY(prepare, rows, n) \
    ROW_ENTRY(put_back, rows, n) \
    ROW_ENTRY(tell, rows, n) \
    ROW_ENTRY(prepare, shared_rows, n) \
    ROW_ENTRY(warm_start, shared_rows, n) \
    ROW_ENTRY(solve, shared_rows, n)

#define ROW_ROW(rows) \
    { \
        .prepare = prepare_rows##rows, .put_back = put_back_rows##rows, \
        .refresh = refresh_rows##rows, .warm_start = warm_start_rows##rows, \
        .tell = tell_rows##rows, .solve = { \
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
        .tell = tell_rows##rows, .solve = { \
            solve_shared_rows##rows, \
            solve_shared_rows##rows, \
            solve_shared_rows##rows, \
            solve_shared_rows##rows \
        } \
    }

ROW_LOOP(prepare, rows, BLOCK_LOOP, NULL)
ROW_LOOP(put_back, rows, BLOCK_LOOP, NULL)
ROW_LOOP(tell, rows, BLOCK_LOOP, NULL)
ROW_LOOP(prepare, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(warm_start, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(solve, shared_rows, SHARED_LOOP, &shared)
ROW_KERNELS(1)
ROW_KERNELS(2)
ROW_KERNELS(3)
ROW_KERNELS(4)
ROW_KERNELS(5)
ROW_KERNELS(6)
ROW_KERNELS(7)
ROW_KERNELS(8)
ROW_KERNELS(9)
ROW_KERNELS(10)
ROW_KERNELS(11)
ROW_KERNELS(12)

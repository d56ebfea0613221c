/* block_loop.inl: the loops over the blocks of a run, which have nothing to do with each other.
 *
 * Where the instruction set allows it two are done at a time, by kernels_two.c; what is left, and
 * two that are unlike each other, one by one here. */

/* Does a lane have a constraint? Text with one lane leaves out those that have none, which makes it
 * the faster one for blocks with few lanes. */
#ifdef LODE_VARIANT_PLAIN
#define LANE_HOLDS(b, lane) (((b)->a[lane] | (b)->b[lane]) != 0)
#else
#define LANE_HOLDS(b, lane) true
#endif

#ifdef LODE_NARROW
#define LANES_USED (LODE_LANES / 2)
#else
#define LANES_USED LODE_LANES
#endif

#define EACH_LANE(holds, call) \
    for (int lane = 0; lane < LANES_USED; lane += LODE_WIDTH) \
        if (holds) \
            call

/* Calls what is done to some lanes of a block `b`, for all blocks, where they hold something. */
#define BLOCK_LOOP_WHERE(holds, type, call) \
    char *at = blocks; \
    for (uint32_t i = 0; i < count; ++i, at += stride) { \
        type *b = (type *)(void *)at; \
        EACH_LANE(holds, call); \
    }

#define BLOCK_LOOP(type, call) BLOCK_LOOP_WHERE(LANE_HOLDS(b, lane), type, call)

/* The same with what lanes that share bodies leave in `shared`. */
#define SHARED_LOOP(type, call) \
    char *at = blocks; \
    for (uint32_t i = 0; i < count; ++i, at += stride) { \
        type *b = (type *)(void *)at; \
        shared_block shared; \
        shared_begin(&shared); \
        EACH_LANE(true, call); \
        shared_end(&shared, lines); \
    }

#if LODE_FITS_TWO_BLOCKS
extern const lode__two_kernels LODE_KERNEL(lode__solver_two_kernels)[LODE__KIND_SHARED];
#define DO_TWOS(kind, verb) \
    (count > 1 ? LODE_KERNEL(lode__solver_two_kernels)[kind].verb(at, count, stride, lines, s) : 0)
#else
#define DO_TWOS(kind, verb) 0
#endif

/* As BLOCK_LOOP, of a kind and a verb that kernels_two.c has. */
#define TWOS_LOOP(type, kind, verb, call) \
    char *at = blocks; \
    while (count > 0) { \
        uint32_t done = DO_TWOS(kind, verb); \
        at += done * stride; \
        count -= done; \
        if (count > 0) { \
            type *b = (type *)(void *)at; \
            EACH_LANE(LANE_HOLDS(b, lane), call); \
            at += stride; \
            --count; \
        } \
    }

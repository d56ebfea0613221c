/* net_kernels.c: the kernels of nets (solver/net_rows.h), one net at a time and four. This file is
 * compiled once per instruction set. */
#include "solver/net_rows.h"

#include "simd/wide.h"
#include "solver/net_threes.h"

#define NETS_PIVOT 1e-11 /* least share of its diagonal that a pivot keeps */

#define NET_NUMBER double
#define NET(name) one_##name
#define NET_ALL(x) ((double)(x))
#define NET_WHERE(mask, x) ((mask) ? (x) : 0)
#define NET_ROWS lode__net_rows
#define NET_BODY lode__net_body
#include "solver/nets.inl"

#define NET_NUMBER lode__quad
#define NET(name) four_##name
#define NET_ALL(x) LODE__QUAD(x)
#define NET_WHERE(mask, x) ((lode__quad)((lode__quad_mask)(mask) & (lode__quad_mask)(x)))
#define NET_ROWS lode__net_four_rows
#define NET_BODY lode__net_four_body
#include "solver/nets.inl"

/* --- from lines and back */

#define NUMBERS 6

LODE__INLINE const lode_real *one_number(const lode__velocity *v, int k)
{
    return k < 3 ? &v->linear.x + k : &v->angular.x + (k - 3);
}

static void one_read(const lode__net_system *net, const lode__velocity *from,
                     const uint32_t *const *lines)
{
    lode__net_body *body = (lode__net_body *)(void *)net->bodies + 1;
    for (uint32_t i = 0; i < net->plan->body_count; ++i)
        for (int k = 0; k < NUMBERS; ++k)
            body[i].v[k] = (double)*one_number(&from[lines[0][i]], k);
}

static void one_write(const lode__net_system *net, lode__velocity *to, const uint32_t *const *lines)
{
    const lode__net_body *body = (const lode__net_body *)(const void *)net->bodies + 1;
    for (uint32_t i = 0; i < net->plan->body_count; ++i)
        for (int k = 0; k < NUMBERS; ++k)
            *(lode_real *)one_number(&to[lines[0][i]], k) = (lode_real)body[i].now[k];
}

LODE__INLINE lode__quad four_gather(const lode__velocity *const v[LODE__QUAD_LANES], int k)
{
    const lode_real x[LODE__QUAD_LANES] = {*one_number(v[0], k), *one_number(v[1], k),
                                           *one_number(v[2], k), *one_number(v[3], k)};
#ifdef LODE_DOUBLE
    return (lode__quad){x[0], x[1], x[2], x[3]};
#else
    return lode__quad_of_floats((lode__four_floats){x[0], x[1], x[2], x[3]});
#endif
}

static void four_read(const lode__net_system *net, const lode__velocity *from,
                      const uint32_t *const *lines)
{
    lode__net_four_body *body = (lode__net_four_body *)(void *)net->bodies + 1;
    for (uint32_t i = 0; i < net->plan->body_count; ++i) {
        const lode__velocity *const v[LODE__QUAD_LANES] = {&from[lines[0][i]], &from[lines[1][i]],
                                                           &from[lines[2][i]], &from[lines[3][i]]};
        for (int k = 0; k < NUMBERS; ++k)
            body[i].v[k] = four_gather(v, k);
    }
}

static void four_write(const lode__net_system *net, lode__velocity *to,
                       const uint32_t *const *lines)
{
    const lode__net_four_body *body = (const lode__net_four_body *)(const void *)net->bodies + 1;
    for (uint32_t i = 0; i < net->plan->body_count; ++i)
        for (int m = 0; m < LODE__QUAD_LANES; ++m)
            for (int k = 0; k < NUMBERS; ++k)
                *(lode_real *)one_number(&to[lines[m][i]], k) = (lode_real)body[i].now[k][m];
}

extern const lode__net_kernels LODE_KERNEL(lode__net_kernels)[2];

const lode__net_kernels LODE_KERNEL(lode__net_kernels)[2] = {
    {one_factor, one_rates, one_solve, one_add, one_read, one_write},
    {four_factor, four_rates, four_solve, four_add, four_read, four_write},
};

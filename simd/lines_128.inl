/* lines_128.inl: the transposing tiles of 128-bit registers; part of simd/wide_lines.h.
 *
 * Single: a tile is four numbers of four lines. Double: two numbers of two lines. */
#ifndef LODE_DOUBLE

typedef struct ntile { nreal r0, r1, r2, r3; } ntile;

LODE__INLINE ntile n_transpose(nreal a, nreal b, nreal c, nreal d)
{
    nreal ab01 = simde_mm_unpacklo_ps(a, b), ab23 = simde_mm_unpackhi_ps(a, b);
    nreal cd01 = simde_mm_unpacklo_ps(c, d), cd23 = simde_mm_unpackhi_ps(c, d);
    return (ntile){simde_mm_movelh_ps(ab01, cd01), simde_mm_movehl_ps(cd01, ab01),
                   simde_mm_movelh_ps(ab23, cd23), simde_mm_movehl_ps(cd23, ab23)};
}

LODE__INLINE wline lode__load_tiles(lode__lines p)
{
    ntile a = n_transpose(n_load(p.l0), n_load(p.l1), n_load(p.l2), n_load(p.l3));
    ntile b = n_transpose(n_load(p.l4), n_load(p.l5), n_load(p.l6), n_load(p.l7));
    ntile c = n_transpose(n_load(p.l0 + 4), n_load(p.l1 + 4), n_load(p.l2 + 4), n_load(p.l3 + 4));
    ntile d = n_transpose(n_load(p.l4 + 4), n_load(p.l5 + 4), n_load(p.l6 + 4), n_load(p.l7 + 4));
    return (wline){{a.r0, b.r0}, {a.r1, b.r1}, {a.r2, b.r2}, {a.r3, b.r3},
                   {c.r0, d.r0}, {c.r1, d.r1}, {c.r2, d.r2}, {c.r3, d.r3}};
}

LODE__INLINE void n_store_tile(lode_real *p0, lode_real *p1, lode_real *p2, lode_real *p3, ntile t)
{
    n_store(p0, t.r0);
    n_store(p1, t.r1);
    n_store(p2, t.r2);
    n_store(p3, t.r3);
}

LODE__INLINE void lode__store_tiles(lode__lines p, wline l)
{
    n_store_tile(p.l0, p.l1, p.l2, p.l3, n_transpose(l.r0.a, l.r1.a, l.r2.a, l.r3.a));
    n_store_tile(p.l4, p.l5, p.l6, p.l7, n_transpose(l.r0.b, l.r1.b, l.r2.b, l.r3.b));
    n_store_tile(p.l0 + 4, p.l1 + 4, p.l2 + 4, p.l3 + 4,
                 n_transpose(l.r4.a, l.r5.a, l.r6.a, l.r7.a));
    n_store_tile(p.l4 + 4, p.l5 + 4, p.l6 + 4, p.l7 + 4,
                 n_transpose(l.r4.b, l.r5.b, l.r6.b, l.r7.b));
}

#else

/* Numbers k and k+1 of all lines: the wide reals x and y. */
typedef struct ntile { wreal x, y; } ntile;

LODE__INLINE ntile n_load_pair(lode__lines p, int k)
{
    nreal l0 = n_load(p.l0 + k), l1 = n_load(p.l1 + k), l2 = n_load(p.l2 + k);
    nreal l3 = n_load(p.l3 + k), l4 = n_load(p.l4 + k), l5 = n_load(p.l5 + k);
    nreal l6 = n_load(p.l6 + k), l7 = n_load(p.l7 + k);
    return (ntile){
        {simde_mm_unpacklo_pd(l0, l1), simde_mm_unpacklo_pd(l2, l3),
         simde_mm_unpacklo_pd(l4, l5), simde_mm_unpacklo_pd(l6, l7)},
        {simde_mm_unpackhi_pd(l0, l1), simde_mm_unpackhi_pd(l2, l3),
         simde_mm_unpackhi_pd(l4, l5), simde_mm_unpackhi_pd(l6, l7)},
    };
}

LODE__INLINE void n_store_pair(lode__lines p, int k, wreal x, wreal y)
{
    n_store(p.l0 + k, simde_mm_unpacklo_pd(x.a, y.a));
    n_store(p.l1 + k, simde_mm_unpackhi_pd(x.a, y.a));
    n_store(p.l2 + k, simde_mm_unpacklo_pd(x.b, y.b));
    n_store(p.l3 + k, simde_mm_unpackhi_pd(x.b, y.b));
    n_store(p.l4 + k, simde_mm_unpacklo_pd(x.c, y.c));
    n_store(p.l5 + k, simde_mm_unpackhi_pd(x.c, y.c));
    n_store(p.l6 + k, simde_mm_unpacklo_pd(x.d, y.d));
    n_store(p.l7 + k, simde_mm_unpackhi_pd(x.d, y.d));
}

LODE__INLINE wline lode__load_tiles(lode__lines p)
{
    ntile a = n_load_pair(p, 0), b = n_load_pair(p, 2), c = n_load_pair(p, 4);
    ntile d = n_load_pair(p, 6);
    return (wline){a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
}

LODE__INLINE void lode__store_tiles(lode__lines p, wline l)
{
    n_store_pair(p, 0, l.r0, l.r1);
    n_store_pair(p, 2, l.r2, l.r3);
    n_store_pair(p, 4, l.r4, l.r5);
    n_store_pair(p, 6, l.r6, l.r7);
}

#endif

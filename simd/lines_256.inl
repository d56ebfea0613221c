/* lines_256.inl: the transposing tiles of AVX2; part of simd/wide_lines.h.
 *
 * Halves of two lines are joined while loading (an insert from memory costs no shuffle), so what
 * remains is a transpose inside 128-bit halves. Single: a tile is four numbers of all eight lines,
 * register i holding line i and line i + 4. Double: two numbers of four lines. */
#ifndef LODE_DOUBLE

typedef struct ntile { nreal r0, r1, r2, r3; } ntile;

LODE__INLINE nreal n_join(const lode_real *lo, const lode_real *hi)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm_load_ps(lo)),
                                     simde_mm_load_ps(hi), 1);
}

LODE__INLINE void n_part(lode_real *lo, lode_real *hi, nreal x)
{
    simde_mm_store_ps(lo, simde_mm256_castps256_ps128(x));
    simde_mm_store_ps(hi, simde_mm256_extractf128_ps(x, 1));
}

LODE__INLINE ntile n_transpose(nreal a, nreal b, nreal c, nreal d)
{
    nreal ab01 = simde_mm256_unpacklo_ps(a, b), ab23 = simde_mm256_unpackhi_ps(a, b);
    nreal cd01 = simde_mm256_unpacklo_ps(c, d), cd23 = simde_mm256_unpackhi_ps(c, d);
    return (ntile){
        simde_mm256_shuffle_ps(ab01, cd01, 0x44), simde_mm256_shuffle_ps(ab01, cd01, 0xee),
        simde_mm256_shuffle_ps(ab23, cd23, 0x44), simde_mm256_shuffle_ps(ab23, cd23, 0xee)};
}

LODE__INLINE wline lode__load_tiles(lode__lines p)
{
    ntile a = n_transpose(n_join(p.l0, p.l4), n_join(p.l1, p.l5), n_join(p.l2, p.l6),
                          n_join(p.l3, p.l7));
    ntile b = n_transpose(n_join(p.l0 + 4, p.l4 + 4), n_join(p.l1 + 4, p.l5 + 4),
                          n_join(p.l2 + 4, p.l6 + 4), n_join(p.l3 + 4, p.l7 + 4));
    return (wline){{a.r0}, {a.r1}, {a.r2}, {a.r3}, {b.r0}, {b.r1}, {b.r2}, {b.r3}};
}

LODE__INLINE void lode__store_tiles(lode__lines p, wline l)
{
    ntile a = n_transpose(l.r0.a, l.r1.a, l.r2.a, l.r3.a);
    ntile b = n_transpose(l.r4.a, l.r5.a, l.r6.a, l.r7.a);
    n_part(p.l0, p.l4, a.r0);
    n_part(p.l0 + 4, p.l4 + 4, b.r0);
    n_part(p.l1, p.l5, a.r1);
    n_part(p.l1 + 4, p.l5 + 4, b.r1);
    n_part(p.l2, p.l6, a.r2);
    n_part(p.l2 + 4, p.l6 + 4, b.r2);
    n_part(p.l3, p.l7, a.r3);
    n_part(p.l3 + 4, p.l7 + 4, b.r3);
}

#else

/* Numbers k and k+1 of all lines: the wide reals x and y. */
typedef struct ntile { wreal x, y; } ntile;

LODE__INLINE nreal n_join(const lode_real *lo, const lode_real *hi)
{
    return simde_mm256_insertf128_pd(simde_mm256_castpd128_pd256(simde_mm_load_pd(lo)),
                                     simde_mm_load_pd(hi), 1);
}

LODE__INLINE void n_part(lode_real *lo, lode_real *hi, nreal x)
{
    simde_mm_store_pd(lo, simde_mm256_castpd256_pd128(x));
    simde_mm_store_pd(hi, simde_mm256_extractf128_pd(x, 1));
}

LODE__INLINE ntile n_load_pair(lode__lines p, int k)
{
    nreal l02 = n_join(p.l0 + k, p.l2 + k), l13 = n_join(p.l1 + k, p.l3 + k);
    nreal l46 = n_join(p.l4 + k, p.l6 + k), l57 = n_join(p.l5 + k, p.l7 + k);
    return (ntile){{simde_mm256_unpacklo_pd(l02, l13), simde_mm256_unpacklo_pd(l46, l57)},
                   {simde_mm256_unpackhi_pd(l02, l13), simde_mm256_unpackhi_pd(l46, l57)}};
}

LODE__INLINE void n_store_pair(lode__lines p, int k, wreal x, wreal y)
{
    n_part(p.l0 + k, p.l2 + k, simde_mm256_unpacklo_pd(x.a, y.a));
    n_part(p.l1 + k, p.l3 + k, simde_mm256_unpackhi_pd(x.a, y.a));
    n_part(p.l4 + k, p.l6 + k, simde_mm256_unpacklo_pd(x.b, y.b));
    n_part(p.l5 + k, p.l7 + k, simde_mm256_unpackhi_pd(x.b, y.b));
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

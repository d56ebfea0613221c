/* lines_256.inl: the transposing tiles of AVX2; part of simd/wide_lines.h.
 *
 * Halves of two lines are joined while loading (an insert from memory costs no shuffle), so what
 * remains is a transpose inside 128-bit halves. Single: a tile is four numbers of all eight lines,
 * register i holding line i and line i + 4. Double: two numbers of four lines. */
#ifndef LODE_DOUBLE

typedef struct ntile {
    nreal r0, r1, r2, r3;
} ntile;

LODE__INLINE nreal n_join(const lode_real *lo, const lode_real *hi)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm_loadu_ps(lo)),
                                     simde_mm_loadu_ps(hi), 1);
}

LODE__INLINE ntile n_transpose(nreal a, nreal b, nreal c, nreal d)
{
    nreal ab01 = simde_mm256_unpacklo_ps(a, b), ab23 = simde_mm256_unpackhi_ps(a, b);
    nreal cd01 = simde_mm256_unpacklo_ps(c, d), cd23 = simde_mm256_unpackhi_ps(c, d);
    return (ntile){
        simde_mm256_shuffle_ps(ab01, cd01, 0x44), simde_mm256_shuffle_ps(ab01, cd01, 0xee),
        simde_mm256_shuffle_ps(ab23, cd23, 0x44), simde_mm256_shuffle_ps(ab23, cd23, 0xee)};
}

LODE__INLINE w8line lode__load_tiles(lode__lines p)
{
    ntile a = n_transpose(n_join(p.l0, p.l4), n_join(p.l1, p.l5), n_join(p.l2, p.l6),
                          n_join(p.l3, p.l7));
    ntile b = n_transpose(n_join(p.l0 + 4, p.l4 + 4), n_join(p.l1 + 4, p.l5 + 4),
                          n_join(p.l2 + 4, p.l6 + 4), n_join(p.l3 + 4, p.l7 + 4));
    return (w8line){{a.r0}, {a.r1}, {a.r2}, {a.r3}, {b.r0}, {b.r1}, {b.r2}, {b.r3}};
}

LODE__INLINE w8four lode__load_fours(lode__lines p)
{
    ntile a = n_transpose(n_join(p.l0, p.l4), n_join(p.l1, p.l5), n_join(p.l2, p.l6),
                          n_join(p.l3, p.l7));
    return (w8four){{a.r0}, {a.r1}, {a.r2}, {a.r3}};
}

LODE__INLINE void n_store_line(lode__target to, nreal x)
{
    if (to.on)
        n_store(to.line, x);
}

LODE__INLINE nreal n_low(nreal a, nreal b)
{
    return simde_mm256_permute2f128_ps(a, b, 0x20);
}
LODE__INLINE nreal n_high(nreal a, nreal b)
{
    return simde_mm256_permute2f128_ps(a, b, 0x31);
}

LODE__INLINE void lode__store_tiles(lode__targets to, w8line l)
{
    ntile a = n_transpose(l.r0.a, l.r1.a, l.r2.a, l.r3.a);
    ntile b = n_transpose(l.r4.a, l.r5.a, l.r6.a, l.r7.a);
    n_store_line(to.l0, n_low(a.r0, b.r0));
    n_store_line(to.l1, n_low(a.r1, b.r1));
    n_store_line(to.l2, n_low(a.r2, b.r2));
    n_store_line(to.l3, n_low(a.r3, b.r3));
    n_store_line(to.l4, n_high(a.r0, b.r0));
    n_store_line(to.l5, n_high(a.r1, b.r1));
    n_store_line(to.l6, n_high(a.r2, b.r2));
    n_store_line(to.l7, n_high(a.r3, b.r3));
}

#else

/* Numbers k and k+1 of all lines. */
typedef struct ntile {
    w8real x, y;
} ntile;

LODE__INLINE nreal n_join(const lode_real *lo, const lode_real *hi)
{
    return simde_mm256_insertf128_pd(simde_mm256_castpd128_pd256(simde_mm_loadu_pd(lo)),
                                     simde_mm_loadu_pd(hi), 1);
}

LODE__INLINE ntile n_load_pair(lode__lines p, int k)
{
    nreal l02 = n_join(p.l0 + k, p.l2 + k), l13 = n_join(p.l1 + k, p.l3 + k);
#ifdef LODE_NARROW
    return (ntile){{simde_mm256_unpacklo_pd(l02, l13)}, {simde_mm256_unpackhi_pd(l02, l13)}};
#else
    nreal l46 = n_join(p.l4 + k, p.l6 + k), l57 = n_join(p.l5 + k, p.l7 + k);
    return (ntile){{simde_mm256_unpacklo_pd(l02, l13), simde_mm256_unpacklo_pd(l46, l57)},
                   {simde_mm256_unpackhi_pd(l02, l13), simde_mm256_unpackhi_pd(l46, l57)}};
#endif
}

LODE__INLINE w8line lode__load_tiles(lode__lines p)
{
    ntile a = n_load_pair(p, 0), b = n_load_pair(p, 2), c = n_load_pair(p, 4);
    ntile d = n_load_pair(p, 6);
    return (w8line){a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
}

LODE__INLINE w8four lode__load_fours(lode__lines p)
{
    ntile a = n_load_pair(p, 0), b = n_load_pair(p, 2);
    return (w8four){a.x, a.y, b.x, b.y};
}

LODE__INLINE void n_store_line(lode__target to, nreal k0, nreal k4)
{
    if (!to.on)
        return;
    n_store(to.line, k0);
    n_store(to.line + 4, k4);
}

LODE__INLINE nreal n_low(nreal a, nreal b)
{
    return simde_mm256_permute2f128_pd(a, b, 0x20);
}
LODE__INLINE nreal n_high(nreal a, nreal b)
{
    return simde_mm256_permute2f128_pd(a, b, 0x31);
}

/* Four lines out of one part of their eight numbers. */
LODE__INLINE void n_store_four(lode__target to0, lode__target to1, lode__target to2,
                               lode__target to3, nreal r0, nreal r1, nreal r2, nreal r3, nreal r4,
                               nreal r5, nreal r6, nreal r7)
{
    nreal even01 = simde_mm256_unpacklo_pd(r0, r1), odd01 = simde_mm256_unpackhi_pd(r0, r1);
    nreal even23 = simde_mm256_unpacklo_pd(r2, r3), odd23 = simde_mm256_unpackhi_pd(r2, r3);
    nreal even45 = simde_mm256_unpacklo_pd(r4, r5), odd45 = simde_mm256_unpackhi_pd(r4, r5);
    nreal even67 = simde_mm256_unpacklo_pd(r6, r7), odd67 = simde_mm256_unpackhi_pd(r6, r7);
    n_store_line(to0, n_low(even01, even23), n_low(even45, even67));
    n_store_line(to1, n_low(odd01, odd23), n_low(odd45, odd67));
    n_store_line(to2, n_high(even01, even23), n_high(even45, even67));
    n_store_line(to3, n_high(odd01, odd23), n_high(odd45, odd67));
}

LODE__INLINE void lode__store_tiles(lode__targets to, w8line l)
{
    n_store_four(to.l0, to.l1, to.l2, to.l3, l.r0.a, l.r1.a, l.r2.a, l.r3.a, l.r4.a, l.r5.a, l.r6.a,
                 l.r7.a);
#ifndef LODE_NARROW
    n_store_four(to.l4, to.l5, to.l6, to.l7, l.r0.b, l.r1.b, l.r2.b, l.r3.b, l.r4.b, l.r5.b, l.r6.b,
                 l.r7.b);
#endif
}

#define LODE__STORES_SIXES

LODE__INLINE void n_store_six(lode__target to, nreal k0, simde__m128d k4)
{
    if (!to.on)
        return;
    n_store(to.line, k0);
    simde_mm_storeu_pd(to.line + 4, k4);
}

LODE__INLINE void n_store_four_sixes(lode__target to0, lode__target to1, lode__target to2,
                                     lode__target to3, nreal r0, nreal r1, nreal r2, nreal r3,
                                     nreal r4, nreal r5)
{
    nreal even01 = simde_mm256_unpacklo_pd(r0, r1), odd01 = simde_mm256_unpackhi_pd(r0, r1);
    nreal even23 = simde_mm256_unpacklo_pd(r2, r3), odd23 = simde_mm256_unpackhi_pd(r2, r3);
    nreal even45 = simde_mm256_unpacklo_pd(r4, r5), odd45 = simde_mm256_unpackhi_pd(r4, r5);
    n_store_six(to0, n_low(even01, even23), simde_mm256_castpd256_pd128(even45));
    n_store_six(to1, n_low(odd01, odd23), simde_mm256_castpd256_pd128(odd45));
    n_store_six(to2, n_high(even01, even23), simde_mm256_extractf128_pd(even45, 1));
    n_store_six(to3, n_high(odd01, odd23), simde_mm256_extractf128_pd(odd45, 1));
}

LODE__INLINE void lode__store_sixes(lode__targets to, w8line l)
{
    n_store_four_sixes(to.l0, to.l1, to.l2, to.l3, l.r0.a, l.r1.a, l.r2.a, l.r3.a, l.r4.a, l.r5.a);
#ifndef LODE_NARROW
    n_store_four_sixes(to.l4, to.l5, to.l6, to.l7, l.r0.b, l.r1.b, l.r2.b, l.r3.b, l.r4.b, l.r5.b);
#endif
}

#endif

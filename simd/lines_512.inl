/* lines_512.inl: the transposing tiles of AVX-512, double; part of simd/wide_lines.h.
 *
 * A tile is four numbers of all eight lines. Halves of two lines are joined while loading: line 0
 * with 2, 1 with 3, 4 with 6, 5 with 7; then pairs of numbers are interleaved, and quarters put in
 * lane order. */

typedef struct ntile {
    nreal r0, r1, r2, r3;
} ntile;

LODE__INLINE nreal n_join(const double *lo, const double *hi)
{
    return simde_mm512_insertf64x4(simde_mm512_castpd256_pd512(simde_mm256_loadu_pd(lo)),
                                   simde_mm256_loadu_pd(hi), 1);
}

/* Numbers k to k+3 of all lines. */
LODE__INLINE ntile n_load_tile(lode__lines p, int k)
{
    nreal l02 = n_join(p.l0 + k, p.l2 + k), l13 = n_join(p.l1 + k, p.l3 + k);
    nreal l46 = n_join(p.l4 + k, p.l6 + k), l57 = n_join(p.l5 + k, p.l7 + k);
    nreal even0 = simde_mm512_unpacklo_pd(l02, l13), odd0 = simde_mm512_unpackhi_pd(l02, l13);
    nreal even4 = simde_mm512_unpacklo_pd(l46, l57), odd4 = simde_mm512_unpackhi_pd(l46, l57);
    return (ntile){
        simde_mm512_shuffle_f64x2(even0, even4, 0x88), simde_mm512_shuffle_f64x2(odd0, odd4, 0x88),
        simde_mm512_shuffle_f64x2(even0, even4, 0xdd), simde_mm512_shuffle_f64x2(odd0, odd4, 0xdd)};
}

LODE__INLINE w8line lode__load_tiles(lode__lines p)
{
    ntile a = n_load_tile(p, 0), b = n_load_tile(p, 4);
    return (w8line){{a.r0}, {a.r1}, {a.r2}, {a.r3}, {b.r0}, {b.r1}, {b.r2}, {b.r3}};
}

LODE__INLINE w8four lode__load_fours(lode__lines p)
{
    ntile a = n_load_tile(p, 0);
    return (w8four){{a.r0}, {a.r1}, {a.r2}, {a.r3}};
}

/* Quarters 0 and 2, or 1 and 3, of both. */
LODE__INLINE nreal n_even(nreal a, nreal b)
{
    return simde_mm512_shuffle_f64x2(a, b, 0x88);
}
LODE__INLINE nreal n_odd(nreal a, nreal b)
{
    return simde_mm512_shuffle_f64x2(a, b, 0xdd);
}

LODE__INLINE void n_store_line(lode__target to, nreal x)
{
    if (to.on)
        n_store(to.line, x);
}

/* Pairs of neighbouring numbers of lines 0, 2, 4, 6 (or 1, 3, 5, 7), one quarter each. */
LODE__INLINE void n_store_four(lode__target to0, lode__target to2, lode__target to4,
                               lode__target to6, nreal k01, nreal k23, nreal k45, nreal k67)
{
    nreal lo04 = n_even(k01, k23), lo26 = n_odd(k01, k23);
    nreal hi04 = n_even(k45, k67), hi26 = n_odd(k45, k67);
    n_store_line(to0, n_even(lo04, hi04));
    n_store_line(to2, n_even(lo26, hi26));
    n_store_line(to4, n_odd(lo04, hi04));
    n_store_line(to6, n_odd(lo26, hi26));
}

LODE__INLINE void lode__store_tiles(lode__targets to, w8line l)
{
    n_store_four(to.l0, to.l2, to.l4, to.l6, simde_mm512_unpacklo_pd(l.r0.a, l.r1.a),
                 simde_mm512_unpacklo_pd(l.r2.a, l.r3.a), simde_mm512_unpacklo_pd(l.r4.a, l.r5.a),
                 simde_mm512_unpacklo_pd(l.r6.a, l.r7.a));
    n_store_four(to.l1, to.l3, to.l5, to.l7, simde_mm512_unpackhi_pd(l.r0.a, l.r1.a),
                 simde_mm512_unpackhi_pd(l.r2.a, l.r3.a), simde_mm512_unpackhi_pd(l.r4.a, l.r5.a),
                 simde_mm512_unpackhi_pd(l.r6.a, l.r7.a));
}

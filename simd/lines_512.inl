/* lines_512.inl: the transposing tiles of AVX-512, double; part of simd/wide_lines.h.
 *
 * A tile is four numbers of all eight lines. Halves of two lines are joined while loading: line 0
 * with 2, 1 with 3, 4 with 6, 5 with 7; then pairs of numbers are interleaved, and quarters put in
 * lane order. */

typedef struct ntile { nreal r0, r1, r2, r3; } ntile;

LODE__INLINE nreal n_join(const double *lo, const double *hi)
{
    return simde_mm512_insertf64x4(simde_mm512_castpd256_pd512(simde_mm256_load_pd(lo)),
                                   simde_mm256_load_pd(hi), 1);
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

LODE__INLINE wline lode__load_tiles(lode__lines p)
{
    ntile a = n_load_tile(p, 0), b = n_load_tile(p, 4);
    return (wline){{a.r0}, {a.r1}, {a.r2}, {a.r3}, {b.r0}, {b.r1}, {b.r2}, {b.r3}};
}

/* Quarters of pairs of numbers to halves of lines: line i in the low half, i + 2 in the high. */
LODE__INLINE nreal n_first(nreal k01, nreal k23)
{
    return simde_mm512_permutex2var_pd(k01, simde_mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), k23);
}

LODE__INLINE nreal n_second(nreal k01, nreal k23)
{
    return simde_mm512_permutex2var_pd(k01, simde_mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), k23);
}

LODE__INLINE void n_store_two(double *base, int32_t i, int32_t j, nreal k0123, nreal k4567)
{
    if (i != 0)
        n_store(LODE__LINE(base, i), simde_mm512_shuffle_f64x2(k0123, k4567, 0x44));
    if (j != 0)
        n_store(LODE__LINE(base, j), simde_mm512_shuffle_f64x2(k0123, k4567, 0xee));
}

LODE__INLINE void w_store_lines(double *base, const int32_t *index, wline l)
{
    nreal r0 = l.r0.a, r1 = l.r1.a, r2 = l.r2.a, r3 = l.r3.a;
    nreal r4 = l.r4.a, r5 = l.r5.a, r6 = l.r6.a, r7 = l.r7.a;
    nreal even01 = simde_mm512_unpacklo_pd(r0, r1), odd01 = simde_mm512_unpackhi_pd(r0, r1);
    nreal even23 = simde_mm512_unpacklo_pd(r2, r3), odd23 = simde_mm512_unpackhi_pd(r2, r3);
    nreal even45 = simde_mm512_unpacklo_pd(r4, r5), odd45 = simde_mm512_unpackhi_pd(r4, r5);
    nreal even67 = simde_mm512_unpacklo_pd(r6, r7), odd67 = simde_mm512_unpackhi_pd(r6, r7);
    n_store_two(base, index[0], index[2], n_first(even01, even23), n_first(even45, even67));
    n_store_two(base, index[1], index[3], n_first(odd01, odd23), n_first(odd45, odd67));
    n_store_two(base, index[4], index[6], n_second(even01, even23), n_second(even45, even67));
    n_store_two(base, index[5], index[7], n_second(odd01, odd23), n_second(odd45, odd67));
}

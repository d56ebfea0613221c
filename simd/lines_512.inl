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

LODE__INLINE void n_part(double *lo, double *hi, nreal x)
{
    simde_mm256_store_pd(lo, simde_mm512_castpd512_pd256(x));
    simde_mm256_store_pd(hi, simde_mm512_extractf64x4_pd(x, 1));
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

LODE__INLINE void n_store_tile(lode__lines p, int k, wreal r0, wreal r1, wreal r2, wreal r3)
{
    nreal even01 = simde_mm512_unpacklo_pd(r0.a, r1.a), odd01 = simde_mm512_unpackhi_pd(r0.a, r1.a);
    nreal even23 = simde_mm512_unpacklo_pd(r2.a, r3.a), odd23 = simde_mm512_unpackhi_pd(r2.a, r3.a);
    simde__m512i low = simde_mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    simde__m512i high = simde_mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    n_part(p.l0 + k, p.l2 + k, simde_mm512_permutex2var_pd(even01, low, even23));
    n_part(p.l1 + k, p.l3 + k, simde_mm512_permutex2var_pd(odd01, low, odd23));
    n_part(p.l4 + k, p.l6 + k, simde_mm512_permutex2var_pd(even01, high, even23));
    n_part(p.l5 + k, p.l7 + k, simde_mm512_permutex2var_pd(odd01, high, odd23));
}

LODE__INLINE wline lode__load_tiles(lode__lines p)
{
    ntile a = n_load_tile(p, 0), b = n_load_tile(p, 4);
    return (wline){{a.r0}, {a.r1}, {a.r2}, {a.r3}, {b.r0}, {b.r1}, {b.r2}, {b.r3}};
}

LODE__INLINE void lode__store_tiles(lode__lines p, wline l)
{
    n_store_tile(p, 0, l.r0, l.r1, l.r2, l.r3);
    n_store_tile(p, 4, l.r4, l.r5, l.r6, l.r7);
}

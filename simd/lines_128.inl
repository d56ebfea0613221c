/* lines_128.inl: the transposing tiles of 128-bit registers; part of simd/wide_lines.h.
 *
 * Single: a tile is four numbers of four lines. Double: two numbers of two lines. */
#ifndef LODE_DOUBLE

typedef struct ntile {
    nreal r0, r1, r2, r3;
} ntile;

LODE__INLINE ntile n_transpose(nreal a, nreal b, nreal c, nreal d)
{
    nreal ab01 = simde_mm_unpacklo_ps(a, b), ab23 = simde_mm_unpackhi_ps(a, b);
    nreal cd01 = simde_mm_unpacklo_ps(c, d), cd23 = simde_mm_unpackhi_ps(c, d);
    return (ntile){simde_mm_movelh_ps(ab01, cd01), simde_mm_movehl_ps(cd01, ab01),
                   simde_mm_movelh_ps(ab23, cd23), simde_mm_movehl_ps(cd23, ab23)};
}

LODE__INLINE w8line lode__load_tiles(lode__lines p)
{
    ntile a = n_transpose(n_load(p.l0), n_load(p.l1), n_load(p.l2), n_load(p.l3));
    ntile b = n_transpose(n_load(p.l4), n_load(p.l5), n_load(p.l6), n_load(p.l7));
    ntile c = n_transpose(n_load(p.l0 + 4), n_load(p.l1 + 4), n_load(p.l2 + 4), n_load(p.l3 + 4));
    ntile d = n_transpose(n_load(p.l4 + 4), n_load(p.l5 + 4), n_load(p.l6 + 4), n_load(p.l7 + 4));
    return (w8line){{a.r0, b.r0}, {a.r1, b.r1}, {a.r2, b.r2}, {a.r3, b.r3},
                    {c.r0, d.r0}, {c.r1, d.r1}, {c.r2, d.r2}, {c.r3, d.r3}};
}

LODE__INLINE w8four lode__load_fours(lode__lines p)
{
    ntile a = n_transpose(n_load_any(p.l0), n_load_any(p.l1), n_load_any(p.l2), n_load_any(p.l3));
    ntile b = n_transpose(n_load_any(p.l4), n_load_any(p.l5), n_load_any(p.l6), n_load_any(p.l7));
    return (w8four){{a.r0, b.r0}, {a.r1, b.r1}, {a.r2, b.r2}, {a.r3, b.r3}};
}

LODE__INLINE void n_store_line(lode__target to, nreal k0, nreal k4)
{
    if (!to.on)
        return;
    n_store_any(to.line, k0);
    n_store_any(to.line + 4, k4);
}

LODE__INLINE void lode__store_tiles(lode__targets to, w8line l)
{
    ntile a = n_transpose(l.r0.a, l.r1.a, l.r2.a, l.r3.a);
    ntile c = n_transpose(l.r4.a, l.r5.a, l.r6.a, l.r7.a);
    n_store_line(to.l0, a.r0, c.r0);
    n_store_line(to.l1, a.r1, c.r1);
    n_store_line(to.l2, a.r2, c.r2);
    n_store_line(to.l3, a.r3, c.r3);
    ntile b = n_transpose(l.r0.b, l.r1.b, l.r2.b, l.r3.b);
    ntile d = n_transpose(l.r4.b, l.r5.b, l.r6.b, l.r7.b);
    n_store_line(to.l4, b.r0, d.r0);
    n_store_line(to.l5, b.r1, d.r1);
    n_store_line(to.l6, b.r2, d.r2);
    n_store_line(to.l7, b.r3, d.r3);
}

#else

/* Numbers k and k+1 of all lines: eight numbers each. */
typedef struct ntile {
    w8real x, y;
} ntile;

LODE__INLINE ntile n_load_pair(lode__lines p, int k)
{
    nreal l0 = n_load_any(p.l0 + k), l1 = n_load_any(p.l1 + k), l2 = n_load_any(p.l2 + k);
    nreal l3 = n_load_any(p.l3 + k), l4 = n_load_any(p.l4 + k), l5 = n_load_any(p.l5 + k);
    nreal l6 = n_load_any(p.l6 + k), l7 = n_load_any(p.l7 + k);
    return (ntile){
        {simde_mm_unpacklo_pd(l0, l1), simde_mm_unpacklo_pd(l2, l3), simde_mm_unpacklo_pd(l4, l5),
         simde_mm_unpacklo_pd(l6, l7)},
        {simde_mm_unpackhi_pd(l0, l1), simde_mm_unpackhi_pd(l2, l3), simde_mm_unpackhi_pd(l4, l5),
         simde_mm_unpackhi_pd(l6, l7)},
    };
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

/* One register of two neighbouring numbers of two lines. */
typedef struct ntwo {
    nreal x, y;
} ntwo;

LODE__INLINE void n_store_six(lode__target even, lode__target odd, ntwo k01, ntwo k23, ntwo k45)
{
    if (even.on) {
        n_store_any(even.line, simde_mm_unpacklo_pd(k01.x, k01.y));
        n_store_any(even.line + 2, simde_mm_unpacklo_pd(k23.x, k23.y));
        n_store_any(even.line + 4, simde_mm_unpacklo_pd(k45.x, k45.y));
    }
    if (odd.on) {
        n_store_any(odd.line, simde_mm_unpackhi_pd(k01.x, k01.y));
        n_store_any(odd.line + 2, simde_mm_unpackhi_pd(k23.x, k23.y));
        n_store_any(odd.line + 4, simde_mm_unpackhi_pd(k45.x, k45.y));
    }
}

LODE__INLINE void n_store_last(lode__target even, lode__target odd, ntwo k67)
{
    if (even.on)
        n_store_any(even.line + 6, simde_mm_unpacklo_pd(k67.x, k67.y));
    if (odd.on)
        n_store_any(odd.line + 6, simde_mm_unpackhi_pd(k67.x, k67.y));
}

#define N_STORE_SIX(even, odd, part) \
    n_store_six(to.even, to.odd, (ntwo){l.r0.part, l.r1.part}, (ntwo){l.r2.part, l.r3.part}, \
                (ntwo){l.r4.part, l.r5.part})
#define N_STORE_LAST(even, odd, part) n_store_last(to.even, to.odd, (ntwo){l.r6.part, l.r7.part})

#define LODE__STORES_SIXES

LODE__INLINE void lode__store_sixes(lode__targets to, w8line l)
{
    N_STORE_SIX(l0, l1, a);
    N_STORE_SIX(l2, l3, b);
    N_STORE_SIX(l4, l5, c);
    N_STORE_SIX(l6, l7, d);
}

LODE__INLINE void lode__store_tiles(lode__targets to, w8line l)
{
    lode__store_sixes(to, l);
    N_STORE_LAST(l0, l1, a);
    N_STORE_LAST(l2, l3, b);
    N_STORE_LAST(l4, l5, c);
    N_STORE_LAST(l6, l7, d);
}

#endif

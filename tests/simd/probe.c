/* probe.c: the operations of simd/wide.h on eight lanes, and those of simd/wide_sixteen.h, compiled
 * once per instruction set. */
#include "tests/simd/probe.h"

#include "simd/wide_sixteen.h"

extern const probe LODE_KERNEL(probe);

static void ops(const lode_real *xs, const lode_real *ys, const lode_real *zs, lode_real *out,
                unsigned *masks)
{
    for (int i = 0; i < PROBE_MASKS; ++i)
        masks[i] = i == MASK_all;
    for (int lane = 0; lane < 8; lane += LODE_WIDTH) {
        wreal x = w_load(xs + lane), y = w_load(ys + lane), z = w_load(zs + lane);
#define UNARY(op) w_store(out + 8 * ROW_##op + lane, w_##op(x));
        PROBE_UNARY(UNARY)
#define BINARY(op) w_store(out + 8 * ROW_##op + lane, w_##op(x, y));
        PROBE_BINARY(BINARY)
#define COMPARE(op) \
    w_store(out + 8 * ROW_##op + lane, w_select(w_##op(x, y), x, z)); \
    masks[MASK_##op] |= m_bits(w_##op(x, y)) << lane;
        PROBE_COMPARE(COMPARE)
        w_store(out + 8 * ROW_clamp + lane, w_clamp(x, y, z));
        w_store(out + 8 * ROW_masked + lane, w_masked(w_lt(x, y), x));
        w_store(out + 8 * ROW_merge + lane,
                w_merge(w_lt(x, y), x, w_masked(m_not(w_lt(x, y)), z)));
        wreal s, c;
        w_sincos(x, &s, &c);
        w_store(out + 8 * ROW_sincos_s + lane, s);
        w_store(out + 8 * ROW_sincos_c + lane, c);
        wmask a = w_lt(x, y), b = w_lt(y, z);
        masks[MASK_and] |= m_bits(m_and(a, b)) << lane;
        masks[MASK_or] |= m_bits(m_or(a, b)) << lane;
        masks[MASK_not] |= m_bits(m_not(a)) << lane;
        masks[MASK_andnot] |= m_bits(m_andnot(a, b)) << lane;
        masks[MASK_any] |= m_any(a);
        masks[MASK_all] &= m_all(a);
    }
}

static lode_real *put_vector(lode_real *out, wvec3 v)
{
    wv_store(out, v);
    return out + 24;
}

static lode_real *put_quat(lode_real *out, wquat q)
{
    w_store(out, q.w);
    wv_store(out + 8, (wvec3){q.x, q.y, q.z});
    return out + 32;
}

static void vectors(const lode_real *in, lode_real *out)
{
    for (int lane = 0; lane < 8; lane += LODE_WIDTH) {
        wvec3 u = wv_load(in + lane), v = wv_load(in + 8 * 3 + lane);
        wquat p = {w_load(in + 8 * 6 + lane), w_load(in + 8 * 7 + lane), w_load(in + 8 * 8 + lane),
                   w_load(in + 8 * 9 + lane)};
        wquat q = {w_load(in + 8 * 10 + lane), w_load(in + 8 * 11 + lane),
                   w_load(in + 8 * 12 + lane), w_load(in + 8 * 13 + lane)};
        wsym3 s = ws_load(in + 8 * 14 + lane);
        wreal t = w_load(in + 8 * 20 + lane);
        lode_real *to = out + lane;
        to = put_vector(to, wv_add(u, v));
        to = put_vector(to, wv_sub(u, v));
        to = put_vector(to, wv_neg(u));
        to = put_vector(to, wv_scale(u, t));
        to = put_vector(to, wv_add_scaled(u, v, t));
        to = put_vector(to, wv_cross(u, v));
        to = put_vector(to, wv_select(w_lt(t, w_zero()), u, v));
        to = put_vector(to, wv_add(wv_zero(), wv_splat((lode_vec3){1, 2, 3})));
        to = put_vector(to, wq_rotate(q, u));
        to = put_vector(to, wq_rotate_inv(q, u));
        to = put_vector(to, ws_mul(s, u));
        to = put_quat(to, wq_mul(p, q));
        to = put_quat(to, wq_conj(p));
        to = put_quat(to, wq_normalize(p));
        ws_store(to, ws_rotate(q, s));
        w_store(to + 48, wv_dot(u, v));
        w_store(to + 56, wv_length(u));
        put_vector(to + 64, wq_axis_z(q));
    }
}

LODE__INLINE wline counted_up(wline l)
{
    l.r1 = w_add(l.r1, w_splat(1));
    l.r2 = w_add(l.r2, w_splat(2));
    l.r3 = w_add(l.r3, w_splat(3));
    l.r4 = w_add(l.r4, w_splat(4));
    l.r5 = w_add(l.r5, w_splat(5));
    l.r6 = w_add(l.r6, w_splat(6));
    l.r7 = w_add(l.r7, w_splat(7));
    return l;
}

static void lines(const lode_real *in, const int32_t *from, lode_real *out, const int32_t *to)
{
    for (int lane = 0; lane < 8; lane += LODE_WIDTH)
        w_store_lines(out, to + lane, counted_up(w_load_lines(in, from + lane)));
}

static void sixes(const lode_real *in, const int32_t *from, lode_real *out, const int32_t *to)
{
    for (int lane = 0; lane < 8; lane += LODE_WIDTH) {
        wline l = counted_up(w_load_lines(in, from + lane));
        l.r6 = l.r7 = w_zero();
        w_store_sixes(out, to + lane, l);
    }
}

static void fours(const lode_real *const *from, lode_real *out)
{
    for (int lane = 0; lane < 8; lane += LODE_WIDTH) {
        wfour four = w_load_fours(from + lane);
        w_store(out + lane, four.r0);
        w_store(out + 8 + lane, four.r1);
        w_store(out + 16 + lane, four.r2);
        w_store(out + 24 + lane, four.r3);
    }
}

static void sixteen(const uint8_t *in, lode_real step, lode_real *out, unsigned *out_le)
{
    *out_le = 0;
    for (int lane = 0; lane < 16; lane += LODE_XWIDTH) {
        xreal x = x_mul(x_bytes(in + lane), x_splat(step)), y = x_bytes(in + 16 + lane);
        xmask less = xm_and(x_le(x, y), x_le(x_splat(1), y));
        x_store(out + lane, x_add(x, y));
        x_store(out + 16 + lane, x_sub(x, y));
        x_store(out + 32 + lane, x_min(x, y));
        x_store(out + 48 + lane, x_max(x, y));
        *out_le |= xm_bits(less) << lane;
    }
}

const probe LODE_KERNEL(probe) = {
#if defined(LODE_VARIANT_PLAIN)
    LODE_SIMD_PLAIN,
#elif defined(LODE_VARIANT_SSE2)
    LODE_SIMD_SSE2,
#elif defined(LODE_VARIANT_AVX2)
    LODE_SIMD_AVX2,
#elif defined(LODE_VARIANT_AVX512)
    LODE_SIMD_AVX512,
#else
    LODE_SIMD_NEON,
#endif
    ops, vectors, lines, sixes, fours, sixteen};

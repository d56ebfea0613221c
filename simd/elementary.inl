/* elementary.inl: sin, cos, atan2 and acos out of the operations of simd/scalar.h and nothing else,
 * so that they have the same bits on every instruction set.
 *
 * This is text, not a header: simd/wide.h includes it for eight lanes, simd/scalar_math.h for one
 * number. They define LODE__REAL, LODE__MASK, LODE__W(add) and LODE__M(and), the types and the
 * operations' names.
 *
 * sin, cos. x = k pi/2 + r with k the nearest integer, found by adding and taking away 1.5 * 2^n,
 * and pi/2 in parts short enough that k times each is exact (W. J. Cody and W. Waite, Software
 * Manual for the Elementary Functions, 1980). Then a polynomial on |r| <= pi/4, and sine or cosine
 * and a sign by k mod 4. The error is below 1.6 units in the last place for |x| <= pi/4 and below
 * 2.5 for |x| up to 2^13 (single) or 2^20 (double). For larger |x| the accuracy goes, the result
 * stays within [-1, 1]; infinities and NaN give NaN. sin(-0) is -0.
 *
 * atan2. One division t = n/d of the smaller by the larger coordinate, or, above tan(pi/8), of
 * their difference by their sum, so that |t| <= tan(pi/8); a polynomial; and the multiple of pi/4
 * in two parts. Below 2.5 units in the last place. Signed zeros and infinities as in C. NaN in
 * either gives NaN.
 *
 * acos(x) = atan2(sqrt((1 - x)(1 + x)), x), x clamped to [-1, 1] first. Below 3.5 units; NaN
 * gives NaN. */

/* a * b + c, rounded twice */
LODE__INLINE LODE__REAL LODE__W(mul_add)(LODE__REAL a, LODE__REAL b, LODE__REAL c)
{
    return LODE__W(add)(LODE__W(mul)(a, b), c);
}

/* a - k * c */
LODE__INLINE LODE__REAL LODE__W(less)(LODE__REAL a, LODE__REAL k, lode_real c)
{
    return LODE__W(sub)(a, LODE__W(mul)(k, LODE__W(splat)(c)));
}

/* Horner's step: p * z + c */
LODE__INLINE LODE__REAL LODE__W(horner)(LODE__REAL p, LODE__REAL z, lode_real c)
{
    return LODE__W(mul_add)(p, z, LODE__W(splat)(c));
}

/* The nearest integer, ties to even, for |x| below 2^22 or 2^51. */
LODE__INLINE LODE__REAL LODE__W(nearest)(LODE__REAL x)
{
    LODE__REAL magic = LODE__W(splat)(LODE__NEAREST_MAGIC);
    return LODE__W(sub)(LODE__W(add)(x, magic), magic);
}

/* sine on |r| <= pi/4, z = r^2 */
LODE__INLINE LODE__REAL LODE__W(sin_near)(LODE__REAL r, LODE__REAL z)
{
#ifdef LODE_DOUBLE
    LODE__REAL p = LODE__W(splat)(LODE__SIN5);
    p = LODE__W(horner)(p, z, LODE__SIN4);
    p = LODE__W(horner)(p, z, LODE__SIN3);
    p = LODE__W(horner)(p, z, LODE__SIN2);
#else
    LODE__REAL p = LODE__W(splat)(LODE__SIN2);
#endif
    p = LODE__W(horner)(p, z, LODE__SIN1);
    p = LODE__W(horner)(p, z, LODE__SIN0);
    return LODE__W(mul_add)(LODE__W(mul)(p, z), r, r);
}

/* cosine on |r| <= pi/4, z = r^2 */
LODE__INLINE LODE__REAL LODE__W(cos_near)(LODE__REAL z)
{
#ifdef LODE_DOUBLE
    LODE__REAL p = LODE__W(splat)(LODE__COS5);
    p = LODE__W(horner)(p, z, LODE__COS4);
    p = LODE__W(horner)(p, z, LODE__COS3);
    p = LODE__W(horner)(p, z, LODE__COS2);
#else
    LODE__REAL p = LODE__W(splat)(LODE__COS2);
#endif
    p = LODE__W(horner)(p, z, LODE__COS1);
    p = LODE__W(horner)(p, z, LODE__COS0);
    LODE__REAL head = LODE__W(less)(LODE__W(splat)(1), z, (lode_real)0.5);
    return LODE__W(mul_add)(LODE__W(mul)(p, z), z, head);
}

LODE__INLINE void LODE__W(sincos)(LODE__REAL x, LODE__REAL *out_sin, LODE__REAL *out_cos)
{
    LODE__REAL zero = LODE__W(zero)(), two = LODE__W(splat)(2);
    LODE__REAL size = LODE__W(abs)(x);
    LODE__REAL k = LODE__W(nearest)(LODE__W(mul)(size, LODE__W(splat)(LODE__TWO_OVER_PI)));
    LODE__REAL r = LODE__W(less)(size, k, LODE__HALF_PI0);
    r = LODE__W(less)(r, k, LODE__HALF_PI1);
    r = LODE__W(less)(r, k, LODE__HALF_PI2);
#ifndef LODE_DOUBLE
    r = LODE__W(less)(r, k, LODE__HALF_PI3);
#endif
    /* bounded whatever x was; operands ordered so that NaN stays NaN */
    r = LODE__W(max)(LODE__W(splat)((lode_real)-0.7875), r);
    r = LODE__W(min)(LODE__W(splat)((lode_real)0.7875), r);

    LODE__REAL z = LODE__W(mul)(r, r);
    LODE__REAL s = LODE__W(sin_near)(r, z), c = LODE__W(cos_near)(z);

    /* k mod 4 as -2..2, where -2 and 2 are the same; and k mod 2 as -1, 0 or 1 */
    LODE__REAL quarter = LODE__W(nearest)(LODE__W(mul)(k, LODE__W(splat)((lode_real)0.25)));
    LODE__REAL q = LODE__W(less)(k, quarter, 4);
    LODE__REAL turns = LODE__W(abs)(q);
    LODE__MASK odd = LODE__W(eq)(turns, LODE__W(splat)(1));
    LODE__MASK half = LODE__W(ge)(turns, two);
    LODE__MASK sin_minus = LODE__M(or)(half, LODE__W(lt)(q, zero));
    LODE__MASK cos_minus = LODE__M(or)(half, LODE__W(gt)(q, zero));
    LODE__REAL si = LODE__W(select)(odd, c, s), co = LODE__W(select)(odd, s, c);
    *out_sin = LODE__W(flip)(LODE__W(select)(sin_minus, LODE__W(neg)(si), si), x);
    *out_cos = LODE__W(select)(cos_minus, LODE__W(neg)(co), co);
}

LODE__INLINE LODE__REAL LODE__W(sin)(LODE__REAL x)
{
    LODE__REAL s, c;
    LODE__W(sincos)(x, &s, &c);
    return s;
}

LODE__INLINE LODE__REAL LODE__W(cos)(LODE__REAL x)
{
    LODE__REAL s, c;
    LODE__W(sincos)(x, &s, &c);
    return c;
}

/* arc tangent on |t| <= tan(pi/8) */
LODE__INLINE LODE__REAL LODE__W(atan_near)(LODE__REAL t)
{
    LODE__REAL z = LODE__W(mul)(t, t);
#ifdef LODE_DOUBLE
    LODE__REAL p = LODE__W(splat)(LODE__ATAN10);
    p = LODE__W(horner)(p, z, LODE__ATAN9);
    p = LODE__W(horner)(p, z, LODE__ATAN8);
    p = LODE__W(horner)(p, z, LODE__ATAN7);
    p = LODE__W(horner)(p, z, LODE__ATAN6);
    p = LODE__W(horner)(p, z, LODE__ATAN5);
    p = LODE__W(horner)(p, z, LODE__ATAN4);
#else
    LODE__REAL p = LODE__W(splat)(LODE__ATAN4);
#endif
    p = LODE__W(horner)(p, z, LODE__ATAN3);
    p = LODE__W(horner)(p, z, LODE__ATAN2);
    p = LODE__W(horner)(p, z, LODE__ATAN1);
    p = LODE__W(horner)(p, z, LODE__ATAN0);
    return LODE__W(mul_add)(LODE__W(mul)(p, z), t, t);
}

LODE__INLINE LODE__REAL LODE__W(atan2)(LODE__REAL y, LODE__REAL x)
{
    LODE__REAL zero = LODE__W(zero)(), one = LODE__W(splat)(1), four = LODE__W(splat)(4);
    LODE__REAL ax = LODE__W(abs)(x), ay = LODE__W(abs)(y);
    LODE__MASK steep = LODE__W(gt)(ay, ax);
    LODE__REAL lo = LODE__W(select)(steep, ax, ay), hi = LODE__W(select)(steep, ay, ax);

    /* the sum below must not overflow */
    LODE__MASK huge = LODE__W(gt)(hi, LODE__W(splat)(LODE__HUGE));
    LODE__REAL scale = LODE__W(select)(huge, LODE__W(splat)((lode_real)0.25), one);
    lo = LODE__W(mul)(lo, scale);
    hi = LODE__W(mul)(hi, scale);

    /* equal: both zero, both infinite, or on the diagonal: 0 / 1 */
    LODE__MASK equal = LODE__W(eq)(lo, hi);
    LODE__MASK upper = LODE__M(or)(
        LODE__W(gt)(lo, LODE__W(mul)(hi, LODE__W(splat)(LODE__TAN_EIGHTH_PI))),
        LODE__M(and)(equal, LODE__W(gt)(lo, zero)));
    LODE__REAL n = LODE__W(select)(upper, LODE__W(sub)(lo, hi), lo);
    LODE__REAL d = LODE__W(select)(upper, LODE__W(add)(lo, hi), hi);
    n = LODE__W(select)(equal, zero, n);
    d = LODE__W(select)(equal, one, d);
    LODE__REAL a = LODE__W(atan_near)(LODE__W(div)(n, d));

    /* the angle is eighths * pi/4 + a, mirrored at the diagonal and at the y axis; the sign of
     * zero counts for x, so ask what sign one gets from it */
    LODE__REAL eighths = LODE__W(masked)(upper, one);
    eighths = LODE__W(select)(steep, LODE__W(sub)(LODE__W(splat)(2), eighths), eighths);
    a = LODE__W(select)(steep, LODE__W(neg)(a), a);
    LODE__MASK left = LODE__W(lt)(LODE__W(flip)(one, x), zero);
    eighths = LODE__W(select)(left, LODE__W(sub)(four, eighths), eighths);
    a = LODE__W(select)(left, LODE__W(neg)(a), a);
    a = LODE__W(mul_add)(eighths, LODE__W(splat)(LODE__QUARTER_PI_LO), a);
    a = LODE__W(mul_add)(eighths, LODE__W(splat)(LODE__QUARTER_PI_HI), a);
    return LODE__W(flip)(a, y);
}

LODE__INLINE LODE__REAL LODE__W(acos)(LODE__REAL x)
{
    LODE__REAL one = LODE__W(splat)(1);
    x = LODE__W(min)(one, LODE__W(max)(LODE__W(splat)(-1), x));
    LODE__REAL square = LODE__W(mul)(LODE__W(sub)(one, x), LODE__W(add)(one, x));
    return LODE__W(atan2)(LODE__W(sqrt)(square), x);
}

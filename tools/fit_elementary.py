#!/usr/bin/env python3
"""Fits the polynomials of simd/elementary.inl.

Each function is odd or even in x, so with z = x^2 it is f = head + tail(z) * p(z), head being
terms kept exact. p is the minimax polynomial for the error of f relative to f (Remez exchange,
E. Y. Remez 1934), found in 60 digits; its coefficients are then rounded to the precision they
will be used in. Prints simd/coefficients.h. Needs mpmath.
"""
from mpmath import mp, mpf, sin, cos, atan, sqrt, pi, matrix, lu_solve, tan, floor

mp.dps = 60


def remez(f, weight, degree, lo, hi):
    """p of the degree with max |f(z) - p(z)| * weight(z) least on [lo, hi]."""
    n = degree + 2
    nodes = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / (n - 1)) for i in range(n)]
    for _ in range(12):
        a = matrix(n, n)
        b = matrix(n, 1)
        for i, z in enumerate(nodes):
            for k in range(degree + 1):
                a[i, k] = z**k
            a[i, degree + 1] = (-1)**i / weight(z)
            b[i] = f(z)
        c = list(lu_solve(a, b))[:degree + 1]

        def error(z):
            return (f(z) - sum(ck * z**k for k, ck in enumerate(c))) * weight(z)

        # one extremum between neighbouring sign changes, ends included
        grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / 400) for i in range(401)]
        values = [error(z) for z in grid]
        best = []
        for z, e in zip(grid, values):
            if best and (best[-1][1] > 0) == (e > 0):
                if abs(e) > abs(best[-1][1]):
                    best[-1] = (z, e)
            else:
                best.append((z, e))
        if len(best) != n:
            break
        nodes = [z for z, _ in best]
    return c


def rounded(x, bits):
    """x to `bits` binary digits, to nearest."""
    if x == 0:
        return x
    s = mpf(2)**(bits - 1 - int(floor(mp.log(abs(x), 2))))
    return floor(x * s + mpf(1) / 2) / s


def literal(x, bits):
    digits, exponent = float(x).hex().split("p")
    return digits.rstrip("0") + "p" + exponent + ("f" if bits == 24 else "")


def show(name, coefficients, bits):
    for k, c in enumerate(coefficients):
        print(f"#define LODE__{name}{k} {literal(rounded(c, bits), bits)}")


def parts(x, sizes):
    """x as a sum of numbers of few bits each."""
    out = []
    for bits in sizes:
        out.append(rounded(x, bits))
        x -= out[-1]
    return out


def series(f, z):
    """f near 0 by its values, away from cancellation: mp.dps carries it."""
    return f(z if z > mpf(10)**-18 else mpf(10)**-18)


def fit(bits, sin_degree, cos_degree, atan_degree):
    end = (mpf(63) / 80)**2  # pi/4 and what rounding of k may add
    # sin x = x + x z p(z)
    s = remez(lambda z: series(lambda t: (sin(sqrt(t)) / sqrt(t) - 1) / t, z),
              lambda z: series(lambda t: t * sqrt(t) / sin(sqrt(t)), z), sin_degree, mpf(0), end)
    show("SIN", s, bits)
    # cos x = 1 - z/2 + z^2 p(z)
    c = remez(lambda z: series(lambda t: (cos(sqrt(t)) - 1 + t / 2) / t**2, z),
              lambda z: series(lambda t: t**2 / cos(sqrt(t)), z), cos_degree, mpf(0), end)
    show("COS", c, bits)
    # atan x = x + x z p(z) for |x| <= tan(pi/8)
    end = (tan(pi / 8) + mpf(2)**-10)**2
    a = remez(lambda z: series(lambda t: (atan(sqrt(t)) / sqrt(t) - 1) / t, z),
              lambda z: series(lambda t: t * sqrt(t) / atan(sqrt(t)), z), atan_degree, mpf(0), end)
    show("ATAN", a, bits)

    def worst(p, exact, approx, end):
        p = [rounded(x, bits) for x in p]
        top = mpf(0)
        for i in range(1, 500):
            x = end * i / 500
            z = x * x
            v = sum(ck * z**k for k, ck in enumerate(p))
            top = max(top, abs(approx(x, z, v) / exact(x) - 1))
        return float(top * 2**bits)

    print("/* relative error of these polynomials, in 2^-%d: sin %.3f cos %.3f atan %.3f */" % (
              bits,
              worst(s, sin, lambda x, z, v: x + x * z * v, pi / 4),
              worst(c, cos, lambda x, z, v: 1 - z / 2 + z * z * v, pi / 4),
              worst(a, atan, lambda x, z, v: x + x * z * v, tan(pi / 8))))
    sizes = [33, 33, 53] if bits == 53 else [11, 11, 11, 24]
    for k, p in enumerate(parts(pi / 2, sizes)):
        print(f"#define LODE__HALF_PI{k} {literal(p, bits)}")
    hi, lo = parts(pi / 4, [bits - 2, bits])
    print(f"#define LODE__QUARTER_PI_HI {literal(hi, bits)}")
    print(f"#define LODE__QUARTER_PI_LO {literal(lo, bits)}")
    print(f"#define LODE__TWO_OVER_PI {literal(rounded(2 / pi, bits), bits)}")
    print(f"#define LODE__NEAREST_MAGIC {literal(mpf(1.5) * mpf(2)**(bits - 1), bits)}")
    huge = mpf(2)**(1021 if bits == 53 else 125)
    print(f"#define LODE__HUGE {literal(huge, bits)}")
    print(f"#define LODE__TAN_EIGHTH_PI {literal(rounded(tan(pi / 8), bits), bits)}")


print("""/* coefficients.h: the numbers of simd/elementary.inl, written by tools/fit_elementary.py. */
#ifndef LODE_SIMD_COEFFICIENTS_H
#define LODE_SIMD_COEFFICIENTS_H

#ifdef LODE_DOUBLE
""")
fit(53, 5, 5, 10)
print("""
#else
""")
fit(24, 2, 2, 4)
print("""
#endif
#endif""")

/* coefficients.h: the numbers of simd/elementary.inl, written by tools/fit_elementary.py. */
#ifndef LODE_SIMD_COEFFICIENTS_H
#define LODE_SIMD_COEFFICIENTS_H

#ifdef LODE_DOUBLE

#define LODE__SIN0 -0x1.5555555555548p-3
#define LODE__SIN1 0x1.111111110f72p-7
#define LODE__SIN2 -0x1.a01a019be7227p-13
#define LODE__SIN3 0x1.71de3553648a7p-19
#define LODE__SIN4 -0x1.ae5e4a173d69ap-26
#define LODE__SIN5 0x1.5d8ae98709034p-33
#define LODE__COS0 0x1.555555555554ap-5
#define LODE__COS1 -0x1.6c16c16c14ec9p-10
#define LODE__COS2 0x1.a01a019c70385p-16
#define LODE__COS3 -0x1.27e4f7dbe9401p-22
#define LODE__COS4 0x1.1ee9cd624df6cp-29
#define LODE__COS5 -0x1.8f9f2558e1f83p-37
#define LODE__ATAN0 -0x1.555555555553bp-2
#define LODE__ATAN1 0x1.99999999954ebp-3
#define LODE__ATAN2 -0x1.2492492297454p-3
#define LODE__ATAN3 0x1.c71c70dd52c9fp-4
#define LODE__ATAN4 -0x1.745cf7dd912a1p-4
#define LODE__ATAN5 0x1.3b110724028a4p-4
#define LODE__ATAN6 -0x1.10eae912306cbp-4
#define LODE__ATAN7 0x1.df035a4f820a7p-5
#define LODE__ATAN8 -0x1.9c9c3abaf8154p-5
#define LODE__ATAN9 0x1.37496f62ea5ccp-5
#define LODE__ATAN10 -0x1.2433a8227484cp-6
/* relative error of these polynomials, in 2^-53: sin 0.043 cos 0.012 atan 0.050 */
#define LODE__HALF_PI0 0x1.921fb544p+0
#define LODE__HALF_PI1 0x1.0b4611a6p-34
#define LODE__HALF_PI2 0x1.3198a2e037073p-69
#define LODE__QUARTER_PI_HI 0x1.921fb54442d18p-1
#define LODE__QUARTER_PI_LO 0x1.1a62633145c07p-55
#define LODE__TWO_OVER_PI 0x1.45f306dc9c883p-1
#define LODE__NEAREST_MAGIC 0x1.8p+52
#define LODE__HUGE 0x1.p+1021
#define LODE__TAN_EIGHTH_PI 0x1.a827999fcef32p-2

#else

#define LODE__SIN0 -0x1.555544p-3f
#define LODE__SIN1 0x1.11072p-7f
#define LODE__SIN2 -0x1.993a84p-13f
#define LODE__COS0 0x1.55554ap-5f
#define LODE__COS1 -0x1.6c0c16p-10f
#define LODE__COS2 0x1.99e30ep-16f
#define LODE__ATAN0 -0x1.555548p-2f
#define LODE__ATAN1 0x1.999172p-3f
#define LODE__ATAN2 -0x1.23b26p-3f
#define LODE__ATAN3 0x1.b1c12cp-4f
#define LODE__ATAN4 -0x1.f10956p-5f
/* relative error of these polynomials, in 2^-24: sin 0.130 cos 0.003 atan 0.046 */
#define LODE__HALF_PI0 0x1.92p+0f
#define LODE__HALF_PI1 0x1.fb4p-12f
#define LODE__HALF_PI2 0x1.444p-24f
#define LODE__HALF_PI3 0x1.68c234p-39f
#define LODE__QUARTER_PI_HI 0x1.921fb8p-1f
#define LODE__QUARTER_PI_LO -0x1.5dde98p-24f
#define LODE__TWO_OVER_PI 0x1.45f306p-1f
#define LODE__NEAREST_MAGIC 0x1.8p+23f
#define LODE__HUGE 0x1.p+125f
#define LODE__TAN_EIGHTH_PI 0x1.a8279ap-2f

#endif
#endif

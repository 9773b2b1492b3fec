/* Complex numbers for C, on host and device and in both precisions: structs and functions. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

/* Not needed here, but programs rely on this include. */
#include <math.h>

#include "vector_types.h"

#define REPRISE_COMPLEX static __inline__ __host__ __device__

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* The functions of one precision. `f` is the suffix of their names and of C's own functions; it is empty for
   double. Division and magnitude scale first, so that they overflow only if the result does. */
#define REPRISE_COMPLEX_PRECISION(Complex, real, f, largest)                                               \
  REPRISE_COMPLEX Complex make_##Complex(real r, real i) {                                                 \
    Complex z;                                                                                             \
    z.x = r;                                                                                               \
    z.y = i;                                                                                               \
    return z;                                                                                              \
  }                                                                                                        \
  REPRISE_COMPLEX real cuCreal##f(Complex x) { return x.x; }                                               \
  REPRISE_COMPLEX real cuCimag##f(Complex x) { return x.y; }                                               \
  REPRISE_COMPLEX Complex cuConj##f(Complex x) { return make_##Complex(x.x, -x.y); }                       \
  REPRISE_COMPLEX Complex cuCadd##f(Complex x, Complex y) { return make_##Complex(x.x + y.x, x.y + y.y); } \
  REPRISE_COMPLEX Complex cuCsub##f(Complex x, Complex y) { return make_##Complex(x.x - y.x, x.y - y.y); } \
  REPRISE_COMPLEX Complex cuCmul##f(Complex x, Complex y) {                                                \
    return make_##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                   \
  }                                                                                                        \
  REPRISE_COMPLEX Complex cuCdiv##f(Complex x, Complex y) {                                                \
    const real scale = (real)1 / (__builtin_fabs##f(y.x) + __builtin_fabs##f(y.y));                        \
    const Complex n = make_##Complex(x.x * scale, x.y * scale);                                            \
    const Complex d = make_##Complex(y.x * scale, y.y * scale);                                            \
    const real inverse = (real)1 / (d.x * d.x + d.y * d.y);                                                \
    return make_##Complex((n.x * d.x + n.y * d.y) * inverse, (n.y * d.x - n.x * d.y) * inverse);           \
  }                                                                                                        \
  REPRISE_COMPLEX real cuCabs##f(Complex x) {                                                              \
    const real a = __builtin_fabs##f(x.x), b = __builtin_fabs##f(x.y);                                     \
    const real longer = a > b ? a : b, shorter = a > b ? b : a;                                            \
    const real ratio = shorter / longer;                                                                   \
    if (longer == 0 || longer > largest || shorter > largest) return longer + shorter;                     \
    return longer * __builtin_sqrt##f((real)1 + ratio * ratio);                                            \
  }                                                                                                        \
  REPRISE_COMPLEX Complex cuCfma##f(Complex x, Complex y, Complex d) {                                     \
    return make_##Complex(-(x.y * y.y) + (x.x * y.x + d.x), x.y * y.x + (x.x * y.y + d.y));                \
  }

REPRISE_COMPLEX_PRECISION(cuFloatComplex, float, f, __FLT_MAX__)
REPRISE_COMPLEX_PRECISION(cuDoubleComplex, double, , __DBL_MAX__)

REPRISE_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }

REPRISE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return make_cuDoubleComplex(c.x, c.y); }

REPRISE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
  return make_cuFloatComplex((float)c.x, (float)c.y);
}

#undef REPRISE_COMPLEX_PRECISION
#undef REPRISE_COMPLEX

#endif /* CU_COMPLEX_H_ */

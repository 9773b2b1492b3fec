// Double arithmetic rounded up, down or to zero: the processor's rounding is switched for the one operation.
#include <immintrin.h>

#include "device/maths/maths.h"

namespace {

enum Rounding : unsigned { down = _MM_ROUND_DOWN, up = _MM_ROUND_UP, zero = _MM_ROUND_TOWARD_ZERO };

inline void keep_here(double& value) { __asm__ volatile("" : "+x"(value)); }

// The compiler does not know that arithmetic depends on the control register: passing the operands and the result
// through empty assembly keeps the operation between the two writes of the register.
template <Rounding rounding, class Operation, class... Operand>
__attribute__((target("fma"))) inline double rounded(Operation operation, Operand... operand) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~static_cast<unsigned>(_MM_ROUND_MASK)) | rounding);
  (keep_here(operand), ...);
  double result = operation(operand...);
  keep_here(result);
  _mm_setcsr(before);
  return result;
}

struct Add {
  double operator()(double a, double b) const { return a + b; }
};
struct Subtract {
  double operator()(double a, double b) const { return a - b; }
};
struct Multiply {
  double operator()(double a, double b) const { return a * b; }
};
struct Divide {
  double operator()(double a, double b) const { return a / b; }
};
struct SquareRoot {
  double operator()(double a) const { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(a))); }
};
struct MultiplyAdd {
  __attribute__((target("fma"))) double operator()(double a, double b, double c) const {
    return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
  }
};

}  // namespace

#define REPRISE_DIRECTED(suffix, rounding)                                                                    \
  REPRISE_MATHS double __nv_dadd_##suffix(double a, double b) { return rounded<rounding>(Add{}, a, b); }      \
  REPRISE_MATHS double __nv_dsub_##suffix(double a, double b) { return rounded<rounding>(Subtract{}, a, b); } \
  REPRISE_MATHS double __nv_dmul_##suffix(double a, double b) { return rounded<rounding>(Multiply{}, a, b); } \
  REPRISE_MATHS double __nv_ddiv_##suffix(double a, double b) { return rounded<rounding>(Divide{}, a, b); }   \
  REPRISE_MATHS double __nv_drcp_##suffix(double a) { return rounded<rounding>(Divide{}, 1.0, a); }           \
  REPRISE_MATHS double __nv_dsqrt_##suffix(double a) { return rounded<rounding>(SquareRoot{}, a); }           \
  REPRISE_MATHS double __nv_fma_##suffix(double a, double b, double c) {                                      \
    return rounded<rounding>(MultiplyAdd{}, a, b, c);                                                         \
  }
REPRISE_DIRECTED(ru, up)
REPRISE_DIRECTED(rd, down)
REPRISE_DIRECTED(rz, zero)

// Why: x86 traps where a GPU gives a result, and LLVM exploits what C++ leaves undefined.
// RUN(CHECK) --stop-after=define-arithmetic
KERNEL kernel(int* out, int a, int b, unsigned n, float x, double y) {
  out[0] = a / b;
  out[1] = a / 3;
  out[2] = a << n;
  out[3] = a >> n;
  out[4] = x;
  out[5] = y;
}
// Division by zero, or of INT_MIN by -1, divides by one instead.
// CHECK: [[ZERO:%.*]] = icmp eq i32 [[B:%.*]], 0
// CHECK: [[UNSAFE:%.*]] = or i1 [[ZERO]],
// CHECK: [[SAFE:%.*]] = select i1 [[UNSAFE]], i32 1, i32 [[B]]
// CHECK: [[Q:%.*]] = sdiv i32 {{.*}}, [[SAFE]]
// CHECK: select i1 [[ZERO]], i32 -1, i32 [[Q]]
// A constant divisor needs no check.
// CHECK: sdiv i32 {{.*}}, 3
// CHECK: [[FITS:%.*]] = icmp ult i32 [[N:%.*]], 32
// CHECK: [[SHIFTED:%.*]] = shl i32 {{.*}}, [[N]]
// CHECK: select i1 [[FITS]], i32 [[SHIFTED]], i32 0
// An arithmetic shift by the width or more gives the sign.
// CHECK: [[AMOUNT:%.*]] = select i1 {{.*}}, i32 {{.*}}, i32 31
// CHECK: ashr i32 {{.*}}, [[AMOUNT]]
// CHECK: call i32 @llvm.fptosi.sat.i32.f32
// NaN converts to 0, or to the top bit if source or destination has 64 bits.
// CHECK-NOT: fcmp uno
// CHECK: [[CLAMPED:%.*]] = call i32 @llvm.fptosi.sat.i32.f64(double [[Y:%.*]])
// CHECK: [[NAN:%.*]] = fcmp uno double [[Y]], [[Y]]
// CHECK: select i1 [[NAN]], i32 -2147483648, i32 [[CLAMPED]]

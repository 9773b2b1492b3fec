// Why: a condition inside the loop over threads costs a mask per vector; as a bound of the loop it costs nothing.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(CODE) --emit-llvm
KERNEL saxpy(int n, float a, const float* x, float* y) {
  const int i = ctaid_x * ntid_x + tid_x;
  if (i < n) y[i] = a * x[i] + y[i];
}
// CHECK: define internal void @block.saxpy(
// CHECK: [[LEFT:%.*]] = call i64 @llvm.ssub.sat.i64(i64 {{%.*}}, i64 {{%.*}})
// CHECK: [[END:%.*]] = call i64 @llvm.smin.i64(i64 %row.length, i64 [[LEFT]])
// CHECK: tid.x.loop:
// CHECK: icmp ult i64 %tid.x{{.*}}.up, [[END]]
// CHECK: enter:
// CHECK-NOT: br i1
// CHECK: store float

// The work of one thread is one iteration.
KERNEL first_alone(float* x) {
  x[tid_x] = 1;
  barrier();
  if (tid_x == 0) x[0] = 2;
}
// CHECK: define internal void @block.first_alone(
// CHECK: store float 1.0
// CHECK: [[FIRST:%.*]] = call i64 @llvm.smax.i64(i64 0,
// CHECK: %tid.x{{.*}} = phi i64 [ [[FIRST]],
// CHECK: store float 2.0

// CODE: define internal void @{{.*}}saxpy
// CODE: store <8 x float>
// CODE-NOT: masked

// Why: the work of a single thread must cost one iteration, and must not prevent vectorisation of the others' work.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL sections(float* x) {
  __shared__ float tile[65];
  tile[tid_x] = x[tid_x];
  if (tid_x == 0) tile[64] = 5;
  barrier();
  x[tid_x] = tile[tid_x + 1] * 2;
}
// A loop over all threads without condition, a loop over the first one, and the region after the barrier.
// CHECK: define internal void @block.sections(
// CHECK: tid.x.loop:
// CHECK: enter:
// CHECK-NOT: br i1
// CHECK: store float
// CHECK: [[FIRST:%.*]] = call i64 @llvm.smax.i64(i64 0,
// CHECK: %tid.x{{.*}} = phi i64 [ [[FIRST]],
// CHECK: store float 5.000000e+00
// CHECK: tid.x.loop
// CHECK: fmul
// CHECK: define internal void @thunk.sections

// Why: in the last iteration of a grid-stride loop only some threads have work; interchange needs a uniform trip count.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(CODE) --emit-llvm
KERNEL grid_stride(int n, float a, const float* x, float* y) {
  for (int i = ctaid_x * ntid_x + tid_x; i < n; i += ntid_x * nctaid_x) y[i] = a * x[i] + y[i];
}
// The loop counts for the whole block, in 64 bits; the loop over threads has a bound in each iteration.
// CHECK: define internal void @block.grid_stride(
// CHECK: [[TURN:%.*]] = phi i64
// CHECK: [[END:%.*]] = call i64 @llvm.smin.i64(i64 %row.length,
// CHECK: tid.x.loop
// CHECK: icmp ult i64 %tid.x{{.*}}.up, [[END]]
// CHECK: store float
// CODE: store <8 x float>

// Why: a loop under a divergent branch would run thread by thread, with strided memory accesses.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(CODE) --emit-llvm
KERNEL columns(const float* in, float* out, int rows, int width) {
  __shared__ float sums[256];
  const int column = ctaid_x * ntid_x + tid_x;
  sums[tid_x] = 0;
  barrier();
  if (column < width) {
    float sum = 0;
    for (int row = 0; row < rows; ++row) sum += in[row * width + column];
    sums[tid_x] = sum;
  }
  barrier();
  out[column] = sums[tid_x ^ 1];
  barrier();
  // A single thread runs this loop, so it stays as it is and does not prevent the transformation of the other.
  if (tid_x == 0) {
    float sum = 0;
    for (int k = 0; k < rows; ++k) sum += sums[k];
    out[0] = sum;
  }
  barrier();
}
// The loop over rows is around the loop over threads, which the condition bounds.
// CHECK: define internal void @block.columns(
// CHECK: %done = phi i64
// CHECK: [[END:%.*]] = call i64 @llvm.smin.i64(i64 %row.length,
// CHECK: load float, ptr {{.*}}!reprise.spill
// CHECK: fadd
// CHECK: store float {{.*}}!reprise.spill
// CHECK: define internal void @thunk.columns
// CODE: load <8 x float>
// CODE: fadd contract <8 x float>
// CODE: store <8 x float>

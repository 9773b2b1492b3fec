// Why: with the loop over threads outside, memory is read in columns; interchanged, in rows.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL columns(const float* in, float* out, int rows, int width) {
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += in[row * width + (int)tid_x];
  out[tid_x] = sum;
}
// The loop over rows is outside, so the sum of each thread has a spill slot between iterations.
// CHECK: define internal void @block.columns(
// CHECK: %slot = getelementptr
// CHECK: [[ROW:%.*]] = phi {{i32|i64}} [ 0,
// CHECK: tid.x.loop
// CHECK: load float, ptr {{.*}}!reprise.spill
// CHECK: fadd
// CHECK: store float {{.*}}!reprise.spill
// CHECK: define internal void @thunk.columns

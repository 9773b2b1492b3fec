// Why: testing each lane may cost more than its work; while the last lane has work, all lanes have.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(CODE) --emit-llvm
KERNEL rows(int n, const float* a, const float* x, float* out) {
  const unsigned t = tid_x;
  const int row = (ctaid_x * ntid_x + t) / 32, lane = t % 32;
  float sum = 0;
  for (int k = lane; k < n; k += 32) sum += a[row * n + k] * x[k];
  for (int half = 16; half > 0; half /= 2)
    sum += __builtin_bit_cast(float, __reprise_shfl32(2, ~0u, __builtin_bit_cast(unsigned, sum), half, 32));
  if (lane == 0) out[row] = sum;
}
// Full iterations first, as long as lane 31 has work; the rest tests each lane.
// CHECK-LABEL: define internal void @block.rows(
// CHECK: %done = phi i64 {{.*}}[ %done.full, %{{.*}} ]
// CHECK: %done.full = phi i64 [ 0, %{{.*}} ]
// CHECK: add nsw i64 %{{.*}}, %done.full
// CODE: fadd {{.*}}<8 x float>
// CODE: llvm.masked.load.v8f32

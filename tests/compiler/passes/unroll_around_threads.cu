// Why: in a block of known shape the halving steps of a reduction are unrolled, so that each loop over threads has a
// known trip count when it is vectorised.
// RUN(CHECK) --stop-after=unroll-around-threads
KERNEL halvings(float* x) {
  __shared__ float sums[128];
  sums[tid_x] = x[tid_x];
  barrier();
  for (int half = ntid_x / 2; half > 0; half /= 2) {
    if (tid_x < half) sums[tid_x] += sums[tid_x + half];
    barrier();
  }
  if (tid_x == 0) x[0] = sums[0];
}
// CHECK-LABEL: define {{.*}} @shaped.halvings(
// CHECK-DAG: icmp ult i64 %{{.*}}, 64
// CHECK-DAG: icmp ult i64 %{{.*}}, 32
// CHECK-DAG: icmp ult i64 %{{.*}}, 16
// CHECK-DAG: icmp ult i64 %{{.*}}, 8
// CHECK-DAG: icmp ult i64 %{{.*}}, 4
// CHECK-DAG: icmp ult i64 %{{.*}}, 2

// Two vectors of a short row with a long body are interleaved.
KERNEL product(const float* a, const float* b, float* out) {
  __shared__ float a_tile[16][16], b_tile[16][16];
  a_tile[tid_y][tid_x] = a[16 * tid_y + tid_x];
  b_tile[tid_y][tid_x] = b[16 * tid_y + tid_x];
  barrier();
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += a_tile[tid_y][i] * b_tile[i][tid_x];
  out[16 * tid_y + tid_x] = sum;
}
// CHECK-LABEL: define {{.*}} @shaped.product(
// CHECK: !{!"llvm.loop.interleave.count", i32 2}

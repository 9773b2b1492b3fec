// Why: the specialised copy of a kernel is only used if the guess is the shape that the kernel is launched with.
// RUN(CHECK) --stop-after=specialise-block-shape
KERNEL flat(float* x) {
  __shared__ float sums[2][512];
  sums[0][tid_x] = x[tid_x];
  barrier();
  x[tid_x] = sums[0][tid_x ^ 1];
}
// CHECK: define internal void @by_shape.flat(
// CHECK: icmp eq i32 {{.*}}, 512
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: call void @shaped.flat(

// A border of one on each side is not part of the block.
KERNEL bordered(float* x) {
  __shared__ float tile[10][34];
  tile[tid_y + 1][tid_x + 1] = x[tid_y * 32 + tid_x];
  barrier();
  x[tid_y * 32 + tid_x] = tile[tid_y][tid_x];
}
// CHECK: define internal void @by_shape.bordered(
// CHECK: icmp eq i32 {{.*}}, 32
// CHECK: icmp eq i32 {{.*}}, 8
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: call void @shaped.bordered(

KERNEL __launch_bounds__(128) bounded(float* x) {
  const float left = x[tid_x];
  barrier();
  x[tid_x + 1] = left;
}
// CHECK: define internal void @by_shape.bounded(
// CHECK: icmp eq i32 {{.*}}, 128
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: icmp eq i32 {{.*}}, 1

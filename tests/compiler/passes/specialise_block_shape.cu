// Why: with a known block shape the loops over threads have known trip counts.
// RUN(CHECK) --stop-after=specialise-block-shape
KERNEL tiles(float* x) {
  __shared__ float tile[16][17];
  tile[tid_y][tid_x] = x[tid_y * 16 + tid_x];
  barrier();
  x[tid_y * 16 + tid_x] = tile[tid_x][tid_y];
}
// CHECK-DAG: define internal void @shaped.tiles(
// CHECK-DAG: define internal void @by_shape.tiles(
// CHECK: icmp eq i32 {{.*}}, 16
// CHECK: icmp eq i32 {{.*}}, 16
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: call void @shaped.tiles(
// CHECK: call void @thunk.tiles(

// Why: a shuffle synchronizes the lanes of a warp only, so its regions are loops over lanes.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL shuffles(unsigned* x) {
  x[tid_x] = __reprise_shfl32(2, 0xffffffff, x[tid_x], 16, 32);
}
// A shuffle by a constant is a permutation of one vector.
// CHECK: define internal void @block.shuffles(
// CHECK: warp.loop
// CHECK: lane.loop
// CHECK: shufflevector <32 x i32>
// CHECK: lane.loop
// CHECK-NOT: @__reprise_shfl32
// CHECK: define internal void @thunk.shuffles

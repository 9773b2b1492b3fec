// Why: a shuffle is a rendezvous of 32 threads, so its regions are loops over the lanes of a warp, not over the block.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL shuffles(unsigned* x) {
  x[tid_x] = __reprise_shfl32(2, 0xffffffff, x[tid_x], 16, 32);
}
// Down by a constant is a permutation of one vector.
// CHECK: define internal void @block.shuffles(
// CHECK: warp.loop
// CHECK: lane.loop
// CHECK: shufflevector <32 x i32>
// CHECK: lane.loop
// CHECK-NOT: @__reprise_shfl32
// CHECK: define internal void @thunk.shuffles

// Why: a vote is one word per warp, computed from a vector of predicates, and a branch on it is uniform.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL votes(unsigned* x) {
  const unsigned all = __reprise_ballot(0xffffffff, x[tid_x] > 3);
  if (all & 1) x[tid_x] = __reprise_shfl32(0, 0xffffffff, all, 0, 32);
}
// CHECK: define internal void @block.votes(
// CHECK: warp.loop
// CHECK: lane.loop
// CHECK: bitcast <32 x i1> {{.*}} to i32
// CHECK-NOT: @__reprise_ballot
// CHECK-NOT: @__reprise_shfl32
// CHECK: define internal void @thunk.votes

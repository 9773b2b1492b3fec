// Why: a loop with a uniform trip count stays one loop around the loops over threads.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL turns(float* x, int n) {
  const int t = tid_x;
  for (int i = 0; i < n; ++i) {
    x[t] += 1;
    barrier();
  }
}
// The counter is uniform: no spill slot.
// CHECK: define internal void @block.turns(
// CHECK-NOT: %slot
// CHECK: [[I:%.*]] = phi i32 [ 0, {{.*}} ], [ [[NEXT:%.*]],
// CHECK: icmp {{.*}} [[I]],
// CHECK: tid.x.loop
// CHECK: fadd {{.*}}1.000000e+00
// CHECK: [[NEXT]] = add {{.*}}[[I]], 1
// CHECK: define internal void @thunk.turns

// Why: blocks of a cooperative launch that share a core run one at a time, so a block that waits must yield.
// RUN(CHECK) --stop-after=split-at-barriers
extern "C" __attribute__((device, convergent, nothrow)) int __reprise_barrier_reduce(int operation, int predicate);
KERNEL waits(volatile int* flag) {
  while (!__reprise_barrier_reduce(2, *flag)) {}
}
// CHECK: define internal void @block.waits(
// CHECK: call void @__reprise_let_others_run(ptr
// CHECK-NOT: call void @__reprise_let_others_run(ptr
// CHECK: define internal void @thunk.waits

// The value read does not affect the trip count.
KERNEL counts(volatile int* x, int n) {
  for (int i = 0; i < n; ++i) {
    x[tid_x + 1] = x[tid_x] + i;
    barrier();
  }
}
// CHECK: define internal void @block.counts(
// CHECK-NOT: call void @__reprise_let_others_run(ptr
// CHECK: define internal void @thunk.counts

// Plain memory: another block could not write it without a data race.
KERNEL settles(int* x) {
  while (__reprise_barrier_reduce(2, x[tid_x] > 1)) x[tid_x] /= 2;
}
// CHECK: define internal void @block.settles(
// CHECK-NOT: call void @__reprise_let_others_run(ptr
// CHECK: define internal void @thunk.settles

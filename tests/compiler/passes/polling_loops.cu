// Why: blocks of a cooperative launch that share a core run in turn, and one that waits for another must let it run.
// RUN(CHECK) --stop-after=split-at-barriers
extern "C" __attribute__((device, convergent, nothrow)) int __reprise_barrier_reduce(int operation, int predicate);
KERNEL waits(volatile int* flag) {
  while (!__reprise_barrier_reduce(2, *flag)) {}
}
// CHECK: define internal void @block.waits(
// CHECK: call void @__reprise_let_others_run(ptr
// CHECK-NOT: call void @__reprise_let_others_run(ptr
// CHECK: define internal void @thunk.waits

// What is looked at does not decide about the rounds.
KERNEL counts(volatile int* x, int n) {
  for (int i = 0; i < n; ++i) {
    x[tid_x + 1] = x[tid_x] + i;
    barrier();
  }
}
// CHECK: define internal void @block.counts(
// CHECK-NOT: call void @__reprise_let_others_run(ptr
// CHECK: define internal void @thunk.counts

// Nor can another block write here without a race.
KERNEL settles(int* x) {
  while (__reprise_barrier_reduce(2, x[tid_x] > 1)) x[tid_x] /= 2;
}
// CHECK: define internal void @block.settles(
// CHECK-NOT: call void @__reprise_let_others_run(ptr
// CHECK: define internal void @thunk.settles

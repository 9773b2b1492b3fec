// Why: threads that return before a barrier must neither be waited for nor run any further region.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL leaves(int* x, int n) {
  if (tid_x >= n) return;
  x[tid_x] = 1;
  barrier();
  x[tid_x] += x[n - 1 - tid_x];
}
// CHECK: define internal void @block.leaves(
// CHECK: store i32 1
// CHECK-NOT: @__reprise_barrier
// CHECK: define internal void @thunk.leaves

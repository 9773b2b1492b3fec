// Why: the exit condition may be replaced by a load from a spill slot; the exit must use its current value, not a
// pointer to the erased one.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL leave_by_flag(int* x, int n) {
  bool done = false;
  int i = 0;
  while (true) {
    x[tid_x] += i;
    if (done) return;
    barrier();
    done = x[tid_x] > 10;
    if (++i >= n) break;
  }
  barrier();
  x[tid_x + 1] = n;
}
// CHECK-LABEL: define {{.*}} @block.leave_by_flag(
// CHECK: memset
// CHECK: tid.x.loop

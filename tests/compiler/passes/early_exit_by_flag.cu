// Why: the condition to leave by is a value that regions keep in a slot; the exit must look at what it is then, not at
// the address of what it was.
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

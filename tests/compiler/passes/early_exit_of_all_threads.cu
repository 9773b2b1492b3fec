// Why: where every thread leaves from inside a loop nothing reaches the end of the kernel, which the regions still
// need as their last node: once it was deleted, and a new block at its address was taken for it.
// RUN(REMARK) --remarks -o /dev/null
// RUN(CHECK) --stop-after=lower-to-fibers
KERNEL no_thread_stays(int* x) {
  int n = x[tid_x];
  for (;;) {
    if (n < 2) return;
    (void)__reprise_ballot(0xffffu, n);
    x[tid_x] = n /= 2;
  }
}
// REMARK: no_thread_stays runs as fibers: {{.*}}
// CHECK: call void @__reprise_run_fibers(ptr %0, ptr %1, ptr @fiber.no_thread_stays)

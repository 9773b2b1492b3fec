// Why: if every thread leaves from inside a loop, the end of the kernel is unreachable, but it still is the last node
// of the region graph and must not be deleted.
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

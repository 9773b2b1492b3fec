// Why: if splitting cannot be proven correct, each thread is a fiber: slow, but always correct.
// RUN(CHECK) --stop-after=lower-to-fibers
// RUN(REMARK) --remarks -o /dev/null
// RUN(FLAG) --stop-after=register-module
// RUN(FORCED) --stop-after=lower-to-fibers --force-fibers
KERNEL uneven(float* x) {
  const int t = tid_x;
  for (int i = 0; i < t; ++i) {
    barrier();
    x[t] += i;
  }
}
KERNEL even(float* x) {
  const float left = x[tid_x];
  barrier();
  x[tid_x + 1] = left;
}
// CHECK: define internal void @uneven(
// CHECK: call void @__reprise_fiber_barrier(i32 0, i32 0)
// CHECK: define internal void @fiber.uneven(
// CHECK: call void @uneven(
// CHECK: define internal void @fibers.uneven(ptr %0, ptr %1)
// CHECK: call void @__reprise_run_fibers(ptr %0, ptr %1, ptr @fiber.uneven)
// CHECK-NOT: @__reprise_barrier()
// REMARK: lower_to_fibers.cu:8: remark: uneven runs as fibers: a barrier in divergent control flow
// REMARK-NOT: even runs as fibers
// The flag by which the runtime provides stacks.
// FLAG: @fibers.uneven, ptr {{@[^,]*}}, i32 1, i32 8, i32 0, i32 0, i32 0, i32 0, i32 0, i32 2,
// FORCED: call void @__reprise_run_fibers(ptr %0, ptr %1, ptr @fiber.even)

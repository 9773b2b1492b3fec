// Why: without optimisation (-G) a debugger must find the kernel's own code, called once for each thread.
// RUN(CHECK) --stop-after=lower-to-thread-loops -G
KERNEL plain(float* x) { x[tid_x] = 1; }
// CHECK: define internal void @plain(
// CHECK: define internal void @thunk.plain(ptr %params, ptr %launch)
// CHECK: tid.z
// CHECK: tid.y
// CHECK: [[X:%tid.x.*]] = phi i32 [ 0,
// CHECK: call void @plain({{.*}}i32 [[X]],

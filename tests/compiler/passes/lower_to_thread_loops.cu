// Why: without optimisation (-G) a debugger stops in the kernel's body, which is called once per thread.
// RUN(CHECK) --stop-after=lower-to-thread-loops -G
KERNEL plain(float* x) { x[tid_x] = 1; }
// CHECK: define internal void @plain(
// CHECK: define internal void @thunk.plain(ptr %params, ptr %launch)
// CHECK: tid.z
// CHECK: tid.y
// CHECK: [[X:%tid.x.*]] = phi i32 [ 0,
// CHECK: call void @plain({{.*}}i32 [[X]],

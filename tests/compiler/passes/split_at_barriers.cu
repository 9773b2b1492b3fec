// Why: every thread must finish the region before a barrier before any thread starts the next one.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(RECORD) --stop-after=register-module
KERNEL two_regions(float* x, int n) {
  __shared__ float tile[64];
  const int t = tid_x;
  const float mine = x[t] * 2;
  tile[t] = mine;
  barrier();
  x[t] = mine + tile[63 - t] + n;
}
// `mine` is live across the barrier and has a spill slot; n is uniform and stays an argument.
// CHECK: define internal void @block.two_regions(
// CHECK: %slot = getelementptr
// CHECK: tid.x.loop:
// CHECK: [[MINE:%.*]] = fmul {{.*}}, 2.000000e+00
// CHECK: [[PLACE:%.*]] = getelementptr inbounds float, ptr %slot, i64 %thread
// CHECK: store float [[MINE]], ptr [[PLACE]]
// CHECK-NOT: @__reprise_barrier
// CHECK: tid.x.loop{{[0-9]+}}:
// CHECK: [[PLACE:%.*]] = getelementptr inbounds float, ptr %slot, i64 %thread
// CHECK: load float, ptr [[PLACE]]
// CHECK: sitofp i32 %1 to float
// CHECK: define internal void @thunk.two_regions(ptr %params, ptr %launch)
// Scratch memory: none per block, one float per thread. Not a fiber.
// RECORD: ptr {{@.*two_regions}}, ptr {{@.*}}, i32 2, i32 12, i32 256, i32 0, i32 16, i32 0, i32 0, i32 0, i32 0

// Why: programs older than __syncwarp exchange values between lanes through volatile shared memory.
// RUN(CHECK) --stop-after=preserve-lockstep
__shared__ int values[128];
KERNEL adds_up(int* out) {
  values[tid_x] = out[tid_x];
  __syncthreads();
  volatile int* seen = values;
  if (tid_x < 32) {
    seen[tid_x] += seen[tid_x + 32];
    seen[tid_x] += seen[tid_x + 16];
  }
  out[tid_x] = seen[tid_x];
}
// CHECK: define {{.*}}@adds_up(
// CHECK: load volatile
// CHECK: load volatile
// CHECK: [[MASK:%.*]] = call i32 @__reprise_activemask()
// CHECK-NEXT: call void @__reprise_warp_sync(i32 [[MASK]])
// CHECK-NEXT: store volatile
// CHECK: call void @__reprise_warp_sync(
// CHECK: load volatile
// CHECK-NOT: call void @__reprise_warp_sync(
// CHECK: load volatile
// CHECK: call void @__reprise_warp_sync(
// CHECK: store volatile

// A barrier in between is sufficient.
KERNEL waits_itself(int* out) {
  volatile int* seen = values;
  seen[tid_x] = out[tid_x];
  __syncthreads();
  out[tid_x] = seen[127 - tid_x];
}
// CHECK: define {{.*}}@waits_itself(
// CHECK-NOT: call void @__reprise_warp_sync(
// CHECK: }

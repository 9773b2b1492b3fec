// Why: a kernel can be split at a barrier in a function only after inlining; recursion must stay a call.
// RUN(CHECK) --stop-after=inline-functions
__device__ __attribute__((noinline)) void wait_for_all() { barrier(); }
__device__ int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1); }
KERNEL kernel(int* out) {
  out[tid_x] = 1;
  wait_for_all();
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += out[i];
  out[tid_x] = recursive(sum);
}
// CHECK-NOT: wait_for_all
// CHECK: define {{.*}}i32 @_Z9recursivei
// CHECK: define {{.*}}void @kernel
// CHECK: call void @__reprise_barrier
// The loop of four is unrolled.
// CHECK-NOT: phi
// CHECK-COUNT-4: load i32
// CHECK-NOT: br label
// CHECK: call {{.*}}i32 @_Z9recursivei

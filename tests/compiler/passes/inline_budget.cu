// Why: thirty levels of functions that call the level below twice would be 2^30 copies; compilation must end, and code
// that waits for other threads must still be inlined.
// RUN(CHECK) --stop-after=inline-functions
template <int level>
__device__ int sum(int* p, int n) {
  if constexpr (level == 0)
    return p[n] * n + p[n + 1];
  else
    return sum<level - 1>(p, n * 3) + sum<level - 1>(p, n * 5 + level);
}
__device__ void wait_for_all() { barrier(); }
KERNEL kernel(int* out, int n) {
  wait_for_all();
  out[tid_x] = sum<30>(out, n);
}
// CHECK-NOT: define {{.*}}wait_for_all
// CHECK: define {{.*}}void @kernel
// CHECK: call void @__reprise_barrier
// CHECK: call {{.*}}i32 @_Z3sumILi

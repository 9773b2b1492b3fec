// Why: a __shared__ variable that only unreachable code uses is removed before offsets are assigned.
// RUN(CHECK) --stop-after=allocate-shared-memory
template <bool used>
__device__ int last(int value) {
  if (!used) return value;
  __shared__ int kept[8];
  kept[tid_x] = value;
  barrier();
  return kept[7];
}
KERNEL kernel(int* out) { out[tid_x] = last<false>(tid_x); }
// CHECK: define {{.*}}void @kernel(
// CHECK-NOT: kept

// Why: a CPU has one address space, and the host looks variables up, so unused ones must stay.
// RUN(CHECK) --stop-after=lower-address-spaces
__device__ int counter = 7;
__constant__ float table[4];
__device__ int unused;
KERNEL kernel(float* out) {
  __shared__ float tile[32];
  tile[tid_x] = table[1];
  out[0] = tile[0] + counter;
}
// CHECK-NOT: addrspace
// CHECK-DAG: @counter = internal {{.*}}global i32 7
// CHECK-DAG: @table = internal {{.*}}global [4 x float]
// CHECK-DAG: @unused = internal
// Shared memory has no storage yet.
// CHECK-DAG: @{{.*}}tile = external {{.*}}global [32 x float]
// CHECK-DAG: @llvm.compiler.used = {{.*}}@counter{{.*}}@unused
// CHECK: define internal
// CHECK-NOT: addrspace

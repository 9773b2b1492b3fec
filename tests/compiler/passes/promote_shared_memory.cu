// Why: the intermediate values of a reduction stay in registers if the address of its shared memory does not escape.
// RUN(CHECK) --stop-after=unroll-around-threads
// RUN(CODE) --emit-llvm
KERNEL reduce(const float* x, float* out) {
  __shared__ float sums[128];
  sums[tid_x] = x[ctaid_x * 128 + tid_x];
  barrier();
  for (int half = 64; half > 0; half /= 2) {
    if (tid_x < half) sums[tid_x] += sums[tid_x + half];
    barrier();
  }
  if (tid_x == 0) out[ctaid_x] = sums[0];
}
// CHECK-LABEL: define {{.*}} @shaped.reduce(
// CHECK: %shared = alloca [512 x i8], align 128
// CHECK: call void @llvm.lifetime.start.p0(i64 512, ptr {{.*}}%shared)
// Reading a word that was never written is not undefined.
// CHECK: [[WORD:%.*]] = load float, ptr
// CHECK: freeze float
// CHECK: call void @llvm.lifetime.end.p0(i64 512, ptr {{.*}}%shared)

// The address escapes.
KERNEL shown(const float* x, float** out) {
  __shared__ float words[128];
  words[tid_x] = x[tid_x];
  barrier();
  if (words[tid_x ^ 1] > 0) out[tid_x] = &words[tid_x];
}
// CHECK-LABEL: define {{.*}} @shaped.shown(
// CHECK-NOT: alloca

// Dynamic shared memory follows the static one.
extern __shared__ float more[];
KERNEL dynamic(const float* x, float* out) {
  __shared__ float words[128];
  words[tid_x] = more[tid_x] = x[tid_x];
  barrier();
  out[tid_x] = words[tid_x ^ 1] + more[tid_x ^ 1];
}
// CHECK-LABEL: define {{.*}} @shaped.dynamic(
// CHECK-NOT: alloca

// CODE-LABEL: @reduce
// CODE: fadd {{.*}}<8 x float>

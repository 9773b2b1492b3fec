// Why: the loop over threads must be vectorised for the requested processor.
// RUN(CHECK) --emit-llvm
// RUN(WIDE) --emit-llvm -march=x86-64-v4
// RUN(NONE) --emit-llvm -G
KERNEL saxpy(int n, float a, const float* x, float* y) {
  const int i = ctaid_x * ntid_x + tid_x;
  if (i < n) y[i] = a * x[i] + y[i];
}
// CHECK: define internal void @{{.*}}saxpy
// CHECK: fmul contract <8 x float>
// CHECK: "target-cpu"="x86-64-v3"
// WIDE: "target-cpu"="x86-64-v4"
// NONE-NOT: <8 x float>

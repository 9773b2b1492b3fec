// Why: LLVM folds and vectorises intrinsics, but not calls of __nv_ functions.
// RUN(CHECK) --stop-after=lower-libdevice
extern "C" __device__ float __nv_sqrtf(float);
extern "C" __device__ double __nv_exp(double);
extern "C" __device__ float __nv_atan2f(float, float);
extern "C" __device__ float __nv_erfcxf(float);
extern "C" __device__ int __nv_max(int, int);
extern "C" __device__ float __nv_frexpf(float, int*);
KERNEL kernel(float* out, double d, int n) {
  int exponent;
  out[0] = __nv_sqrtf(out[0]);
  out[1] = __nv_exp(d);
  out[2] = __nv_atan2f(out[0], out[1]);
  out[3] = __nv_erfcxf(out[0]);
  out[4] = __nv_max(n, 3);
  out[5] = __nv_frexpf(out[0], &exponent);
}
// CHECK: call {{.*}}float @llvm.sqrt.f32
// CHECK: call {{.*}}double @llvm.exp.f64
// CHECK: call {{.*}}float @atan2f
// CHECK: call {{.*}}float @__nv_erfcxf
// CHECK: call i32 @llvm.smax.i32
// CHECK: call {{.*}}float @__nv_frexpf
// Functions are pure, except that some write through a pointer argument.
// CHECK-DAG: declare {{.*}}float @__nv_erfcxf(float {{.*}}) [[PURE:#[0-9]+]]
// CHECK-DAG: declare {{.*}}float @__nv_frexpf({{.*}}) [[WRITES:#[0-9]+]]
// CHECK-DAG: attributes [[PURE]] = {{.*}}memory(none)
// CHECK-DAG: attributes [[WRITES]] = {{.*}}memory(argmem: readwrite)

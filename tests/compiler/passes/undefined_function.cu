// Why: without -rdc an undefined device function is an error at the line of the call.
// FAILS(CHECK) --stop-after=retarget
// RUN(RDC) --stop-after=retarget --rdc
__device__ int elsewhere(int);
KERNEL kernel(int* out) {
  *out = elsewhere(1);
}
// CHECK: undefined_function.cu:6:10: error: undefined device function elsewhere(int); if another file defines it, compile both with -rdc=true
// RDC: declare {{.*}} @reprise.device._Z9elsewherei({{.*}}) [[ATTRIBUTES:#[0-9]+]]
// RDC: attributes [[ATTRIBUTES]] = { {{.*}}"reprise.external"

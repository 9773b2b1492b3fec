// Why: libcu++ asks for the space of every barrier and atomic; what the compiler can see must cost nothing, and code for
// another space must be gone before barriers and waiting loops are looked for.
// RUN(CHECK) --stop-after=resolve-space-queries
__constant__ int constants[4];
struct Parameter {
  int* pointer;
  int values[4];
};
KERNEL known(int* out, const int* in, Parameter parameter) {
  __shared__ int tile[4];
  int mine[2] = {tid_x, 1};
  tile[tid_x] = in[mine[tid_x & 1]];
  barrier();
  if (!__nvvm_isspacep_shared(tile)) out[0] = 100;
  if (__nvvm_isspacep_shared(in)) out[1] = 101;
  if (!__nvvm_isspacep_global(parameter.pointer)) out[2] = 102;
  if (!__nvvm_isspacep_local(mine)) out[3] = 103;
  if (__nvvm_isspacep_global(constants)) barrier();
  out[5] = tile[0] + mine[in[3]];
}
// CHECK-LABEL: define {{.*}}void @known(
// CHECK: call void @__reprise_barrier()
// CHECK-NOT: br
// CHECK-NOT: __reprise_
// CHECK: ret void

KERNEL unknown(int* out, int** where) { out[0] = __nvvm_isspacep_global(where[0]); }
// CHECK-LABEL: define {{.*}}void @unknown(
// CHECK-DAG: call i32 @__reprise_is_shared(
// CHECK-DAG: call i32 @__reprise_is_local(
// CHECK-DAG: call i32 @__reprise_is_constant(
// CHECK: ret void

// Why: an address that came through memory is known at run time only; comparing it must not need the runtime for
// shared and constant memory.
// RUN(CHECK) --stop-after=lower-space-queries
__constant__ int constants[4];
KERNEL unknown(int* out, int** where) {
  __shared__ int tile[4];
  out[0] = __nvvm_isspacep_shared(where[0]);
  out[1] = __nvvm_isspacep_const(where[0]);
  out[2] = __nvvm_isspacep_local(where[0]);
  tile[tid_x] = out[0];
  barrier();
  out[3] = tile[out[4]];
}
// CHECK-LABEL: define {{.*}}void @unknown(
// CHECK: %[[BYTES:.*]] = add i64 %{{.*}}, 128
// CHECK: icmp ult i64 %{{.*}}, %[[BYTES]]
// CHECK: sub i64 %{{.*}}, ptrtoint (ptr @constants to i64)
// CHECK: icmp ult i64 %{{.*}}, 16
// CHECK: call i32 @__reprise_in_local_memory(ptr %launch,
// CHECK-NOT: __reprise_is_
// CHECK: ret void

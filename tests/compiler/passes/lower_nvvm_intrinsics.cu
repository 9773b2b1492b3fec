// Why: later passes handle device builtins and LLVM's own intrinsics only; the x86 backend has no NVPTX intrinsics.
// RUN(CHECK) --stop-after=lower-nvvm-intrinsics
KERNEL kernel(unsigned* out) {
  barrier();
  out[tid_x] = __nvvm_shfl_sync_down_i32(0xffffffff, ntid_x, 4, 31);
  out[1] = __nvvm_vote_ballot_sync(0xffffffff, tid_x > 3);
  out[2] = __nvvm_prmt(out[0], out[1], 0x3210);
  __nvvm_membar_gl();
}
// CHECK: call void @__reprise_barrier()
// CHECK-DAG: call i32 @__reprise_ntid_x()
// CHECK-DAG: call i32 @__reprise_shfl32(i32 2, i32 -1, i32 {{.*}}, i32 4, i32 32)
// CHECK-DAG: call i32 @__reprise_tid_x()
// CHECK: call i32 @__reprise_ballot(i32 -1,
// CHECK: fence {{.*}}seq_cst
// CHECK-NOT: llvm.nvvm

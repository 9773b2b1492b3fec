// Why: a loop over a block of 32 threads is too short to vectorise well; merged with its grid row it is long.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL joined(float* x) { x[ctaid_x * ntid_x + tid_x] = 1; }
// CHECK: define internal void @thunk.joined(
// CHECK: %blocks = call i64 @llvm.umin.i64
// CHECK: %row.length = mul nuw nsw i64 %blocks,
// CHECK: add nuw nsw i64 %block.number, %blocks

// If a kernel uses threadIdx.x on its own, blocks are not merged.
KERNEL apart(float* x) { x[ctaid_x * ntid_x + tid_x] = tid_x; }
// CHECK: define internal void @thunk.apart(
// CHECK-NOT: %blocks
// CHECK: call void @block.apart(
// CHECK: add nuw nsw i64 %block.number, 1

// Why: a grid-stride loop may step a pointer; rewritten to count, it is interchanged and vectorised.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(CODE) --emit-llvm
KERNEL twice(const float* x, const float* end, float* y) {
  y += ctaid_x * ntid_x + tid_x;
  for (x += ctaid_x * ntid_x + tid_x; x < end; x += ntid_x * nctaid_x, y += ntid_x * nctaid_x) *y = 2 * *x;
}
// The limit is the number of words up to the end; the other pointer uses the same index.
// CHECK-LABEL: define internal void @block.twice(
// CHECK: [[BYTES:%.*]] = sub nsw i64
// CHECK: [[UP:%.*]] = add nsw i64 [[BYTES]], 3
// CHECK: ashr i64 [[UP]], 2
// CHECK: call i64 @llvm.smin.i64(i64 %row.length,
// CODE-LABEL: @twice
// CODE-NOT: masked
// CODE: store <8 x float>

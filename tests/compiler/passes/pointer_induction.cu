// Why: a loop that steps a pointer is a grid-stride loop too; counted, its threads go inside and become vectors.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(CODE) --emit-llvm
KERNEL twice(const float* x, const float* end, float* y) {
  y += ctaid_x * ntid_x + tid_x;
  for (x += ctaid_x * ntid_x + tid_x; x < end; x += ntid_x * nctaid_x, y += ntid_x * nctaid_x) *y = 2 * *x;
}
// As many words as there are up to the end; the other pointer steps along.
// CHECK-LABEL: define internal void @block.twice(
// CHECK: [[BYTES:%.*]] = sub nsw i64
// CHECK: [[UP:%.*]] = add nsw i64 [[BYTES]], 3
// CHECK: ashr i64 [[UP]], 2
// CHECK: call i64 @llvm.smin.i64(i64 %row.length,
// CODE-LABEL: @twice
// CODE-NOT: masked
// CODE: store <8 x float>

// Why: if an index may wrap in 32 bits, LLVM does not see consecutive addresses and does not vectorise.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL neighbours(float* x, int row) { x[row + (int)tid_x] = 1; }
// CHECK: define internal void @block.neighbours(
// CHECK: tid.x.loop:
// CHECK: [[X:%tid.x.*]] = phi i64
// CHECK: [[I:%.*]] = add nsw i64 [[X]],
// CHECK: getelementptr inbounds float, ptr %0, i64 [[I]]

// Unsigned arithmetic may wrap, so it stays as it is.
KERNEL wraps(float* x, unsigned row) { x[row + tid_x] = 1; }
// CHECK: define internal void @block.wraps(
// CHECK: [[I:%.*]] = add i32
// CHECK: zext i32 [[I]] to i64

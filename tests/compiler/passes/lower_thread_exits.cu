// Why: a thread that exits inside a function must leave the kernel, not the function.
// RUN(CHECK) --stop-after=lower-thread-exits
__device__ void leave(int x) {
  if (x > 2) asm volatile("exit;");
}
KERNEL kernel(int* out, int x) {
  leave(x);
  *out = 1;
}
// CHECK: define {{.*}}void @kernel
// CHECK: br i1 {{.*}}, label %[[EXIT:.*]], label
// CHECK: [[EXIT]]:
// CHECK-NEXT: ret void
// CHECK: store i32 1
// CHECK-NOT: __reprise_exit

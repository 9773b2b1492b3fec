// Why: a predicated PTX store must not execute if its predicate is false, and memory orderings must be kept.
// RUN(CHECK) --stop-after=lower-inline-ptx
KERNEL guarded(int* p, int x) {
  asm volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0; @q st.global.s32 [%0], %1; }" ::"l"(p), "r"(x) : "memory");
}
// CHECK: define {{.*}}@guarded(
// CHECK: [[Q:%.*]] = icmp ne i32 {{.*}}, 0
// CHECK: br i1 [[Q]], label %[[THEN:.*]], label
// CHECK: [[THEN]]:
// CHECK: store i32
KERNEL ordered(int* p, int* out) {
  int seen;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(p) : "memory");
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(out), "r"(seen) : "memory");
}
// CHECK: define {{.*}}@ordered(
// CHECK: load atomic i32, ptr {{.*}} acquire
// CHECK: store atomic i32 {{.*}} release

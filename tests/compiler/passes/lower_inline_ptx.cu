// Why: PTX is translated statement by statement, and register dependences become SSA values.
// RUN(CHECK) --stop-after=lower-inline-ptx
KERNEL known(int* out, int x) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  int chosen;
  asm("{ .reg .pred p; setp.lt.s32 p, %1, 0; selp.s32 %0, 1, 2, p; }" : "=r"(chosen) : "r"(x));
  asm volatile("bar.sync 0;");
  out[lane] = chosen;
}
// CHECK: call {{.*}}@__reprise_laneid
// CHECK: [[P:%.*]] = icmp slt i32 {{.*}}, 0
// CHECK: select i1 [[P]], i32 1, i32 2
// CHECK: call void @__reprise_barrier
// CHECK-NOT: asm

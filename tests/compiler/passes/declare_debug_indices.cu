// Why: a debugger shows lines of a kernel, and threadIdx as a variable although the program reads a register.
// CLANG -g --cuda-noopt-device-debug
// RUN(CHECK) --emit-llvm -G
KERNEL kernel(int* out) {
  out[tid_x] = tid_x;
}
// CHECK: define internal void @kernel({{.*}} !dbg [[KERNEL:![0-9]+]]
// CHECK: %threadIdx = alloca [3 x i32]
// CHECK: #dbg_declare(ptr %threadIdx, [[VARIABLE:![0-9]+]],
// Generated functions have the kernel's line.
// CHECK: define internal void @thunk.kernel({{.*}} !dbg
// CHECK-DAG: [[VARIABLE]] = !DILocalVariable(name: "threadIdx", scope: [[KERNEL]]
// CHECK-DAG: [[KERNEL]] = distinct !DISubprogram(name: "kernel"

// Why: a kernel inlined into a function without debug information would lose its lines.
// CLANG -g
// RUN(CHECK) --stop-after=add-debug-frames -g
KERNEL kernel(float* out) {
  const float left = out[tid_x];
  barrier();
  out[tid_x + 1] = left;
}
// CHECK: define internal void @thunk.kernel({{.*}} !dbg [[THUNK:![0-9]+]]
// CHECK: call void @block.kernel({{.*}} !dbg [[LINE:![0-9]+]]
// CHECK-DAG: [[THUNK]] = distinct !DISubprogram(name: "thunk.kernel"{{.*}}, line: 4,
// CHECK-DAG: [[LINE]] = !DILocation(line: 4, scope: [[THUNK]])

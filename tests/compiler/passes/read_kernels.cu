// Why: the host packs arguments at these offsets.
// RUN(CHECK) --stop-after=read-kernels
// RUN(RECORD) --stop-after=register-module
struct Pair {
  double first;
  int second;
};
KERNEL __launch_bounds__(256, 2) mixed(char flag, Pair pair, int n, float* out) {
  if (flag) *out = n + pair.second;
}
// CHECK-NOT: nvvm.annotations

// One byte, a struct at its alignment, an int, a pointer at eight.
// RECORD: [4 x { i32, i32 }] [{ i32, i32 } { i32 0, i32 1 }, { i32, i32 } { i32 8, i32 16 }, { i32, i32 } { i32 24, i32 4 }, { i32, i32 } { i32 32, i32 8 }]
// Then 4 parameters, 40 bytes, no memory of its own, and the launch bounds.
// RECORD: ptr {{@.*mixed}}, ptr {{@.*}}, i32 4, i32 40, i32 0, i32 0, i32 0, i32 256, i32 2,

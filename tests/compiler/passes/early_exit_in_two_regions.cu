// Why: a region with warp operations takes over the early exits of the block's region graph, and replaces their
// branches; the next such region must not find the erased branches there.
// RUN(CHECK) --stop-after=split-at-barriers
KERNEL leave_in_two_regions(unsigned* x) {
  unsigned v = x[tid_x];
  if (v == 3) return;
  v += __reprise_shfl32(3, ~0u, v, 1, 32);
  barrier();
  if (v == 5) return;
  v += __reprise_shfl32(3, ~0u, v, 2, 32);
  barrier();
  if (v == 7) return;
  x[tid_x] = v + __reprise_shfl32(3, ~0u, v, 4, 32);
}
// CHECK-LABEL: define {{.*}} @block.leave_in_two_regions(
// CHECK-COUNT-3: shufflevector <32 x i32>
// CHECK-NOT: shufflevector

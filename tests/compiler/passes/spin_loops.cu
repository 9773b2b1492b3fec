// Why: threads run one after the other would wait for ever for one that comes later.
// RUN(CHECK) --stop-after=spin-loops
// RUN(REMARK) --remarks -o /dev/null
KERNEL waits(volatile int* flag, int* out) {
  if (tid_x == 0) {
    while (*flag == 0) {}
    *out = 1;
  } else {
    *flag = 1;
  }
}
// CHECK: define {{.*}}@waits(
// CHECK: call void @__reprise_spin()
// REMARK: remark: waits runs as fibers

// A loop that tries again with what it has just seen waits for nobody.
KERNEL retries(unsigned* place, unsigned value) {
  unsigned old = *place, seen;
  do {
    seen = old;
    old = __nvvm_atom_cas_gen_i((int*)place, seen, seen * 2 + value);
  } while (seen != old);
}
// CHECK: define {{.*}}@retries(
// CHECK-NOT: call void @__reprise_spin()
// REMARK-NOT: retries runs as fibers

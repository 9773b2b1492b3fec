// Why: an unknown type must be an error, not be treated as a 32-bit integer.
// FAILS(CHECK) --stop-after=lower-inline-ptx
KERNEL adds(unsigned* x) {
  unsigned old;
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(x), "r"(x[1]) : "memory");
  x[2] = old;
}
// CHECK: error: inline PTX is not supported: atom.global.add.noftz.f16x2

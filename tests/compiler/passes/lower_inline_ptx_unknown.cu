// Why: the error for an unknown PTX statement has its text and line.
// FAILS(CHECK) --stop-after=lower-inline-ptx
KERNEL unknown(int* out) {
  asm volatile("wgmma.fence.sync.aligned;");
}
// CHECK: lower_inline_ptx_unknown.cu:4:3: error: inline PTX is not supported: wgmma.fence.sync.aligned

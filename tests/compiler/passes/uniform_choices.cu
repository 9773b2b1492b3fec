// Why: a bound that the whole block chooses must not keep a kernel from being split.
// RUN(CHECK) --stop-after=split-at-barriers
// RUN(REMARK) --remarks -o /dev/null
KERNEL sums(float* out, const float* in, const int* offsets, int n) {
  __shared__ float s[256];
  int end;
  if (ctaid_x == nctaid_x - 1)
    end = n;
  else
    end = offsets[ctaid_x + 1];
  float sum = 0;
  for (int i = offsets[ctaid_x]; i < end; i += 256) {
    s[tid_x] = in[i + tid_x];
    barrier();
    sum += s[255 - tid_x];
    barrier();
  }
  out[ctaid_x * 256 + tid_x] = sum;
}
// The load runs once, in a branch around the loops over threads.
// CHECK: define {{.*}}@block.sums(
// CHECK: %[[END:.*]] = phi i32
// CHECK: thunk.sums
// REMARK-NOT: sums runs as fibers

// A choice that each thread makes for itself still needs fibers.
KERNEL chooses(float* out, const float* in, const int* ends) {
  const int end = tid_x % 2 ? ends[tid_x] : 256;
  for (int i = 0; i < end; i += 256) {
    out[i + tid_x] += in[i];
    barrier();
  }
}
// REMARK: remark: chooses runs as fibers

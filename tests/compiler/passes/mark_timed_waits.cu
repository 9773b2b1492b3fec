// Why: all threads of a grid wait at the same time, although one runs after the other.
// RUN(CHECK) --stop-after=mark-timed-waits
// RUN(REGIONS) --stop-after=split-at-barriers
// RUN(FIBERS) --force-fibers --stop-after=lower-to-fibers
extern "C" __device__ unsigned long long __reprise_clock();
extern "C" __device__ unsigned long long __reprise_globaltimer();

KERNEL waits(long long* out, long long n) {
  const long long start = __reprise_clock();
  while ((long long)__reprise_clock() - start < n) {}
  out[tid_x] = __reprise_clock() - start;
}
// CHECK: define {{.*}}@waits(
// CHECK: call void @__reprise_wait_start()
// CHECK: call void @__reprise_wait()
// REGIONS: define {{.*}}@block.waits(
// REGIONS: call void @__reprise_clock_start_block(
// REGIONS-NOT: @__reprise_clock_start_region(
// REGIONS: call void @__reprise_clock_start_thread(
// REGIONS-NOT: @__reprise_clock()
// REGIONS: call i64 @__reprise_clock_read(
// REGIONS: call void @__reprise_clock_start_wait(
// REGIONS: call void @__reprise_clock_wait(
// FIBERS: define {{.*}}@waits(
// FIBERS: call void @__reprise_clock_yield()

// After a barrier all threads start anew, and one that may see the work of others catches up.
KERNEL waits_twice(int* done, unsigned* seen) {
  unsigned now, start = __nvvm_read_ptx_sreg_clock();
  do now = __nvvm_read_ptx_sreg_clock();
  while (now - start < 1000);
  __nvvm_atom_add_gen_i(done, 1);
  barrier();
  const unsigned long long late = __reprise_globaltimer() + 1000;
  while (__reprise_globaltimer() < late) {}
  seen[tid_x] = now;
}
// REGIONS: define {{.*}}@block.waits_twice(
// REGIONS: call void @__reprise_clock_start_block(
// REGIONS-DAG: call void @__reprise_clock_start_region(
// REGIONS-DAG: call i64 @__reprise_clock_read_global(
// REGIONS-DAG: call void @__reprise_clock_catch_up(

// A loop with another effect is no wait.
KERNEL works(volatile int* out, long long n) {
  const long long start = __reprise_clock();
  while ((long long)__reprise_clock() - start < n) *out += 1;
}
// CHECK: define {{.*}}@works(
// CHECK-NOT: call void @__reprise_wait()
// REGIONS: define {{.*}}@block.works(
// REGIONS: call i64 @__reprise_clock()
KERNEL counts(long long* out, int n) {
  const long long start = __reprise_clock();
  float x = 1;
  for (int i = 0; i < n; ++i) x = x * 0.5f + (float)i;
  out[tid_x] = __reprise_clock() - start + (x > 1);
}
// CHECK: define {{.*}}@counts(
// CHECK-NOT: call void @__reprise_wait()

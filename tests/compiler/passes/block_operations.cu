// Why: a counting barrier needs every thread's predicate before any thread continues with the count.
// RUN(CHECK) --stop-after=split-at-barriers
extern "C" __attribute__((device, convergent, nothrow)) int __reprise_barrier_reduce(int operation, int predicate);
KERNEL counts(int* x) { x[tid_x] = __reprise_barrier_reduce(0, x[tid_x] > 3); }
// CHECK: define internal void @block.counts(
// CHECK: tid.x.loop
// CHECK: store {{.*}}, ptr %{{.*}}
// CHECK: tid.x.loop
// CHECK-NOT: @__reprise_barrier_reduce
// CHECK: define internal void @thunk.counts

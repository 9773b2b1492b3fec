// Why: a function called through a pointer is not inlined, so it needs a hidden argument to know its thread.
// RUN(CHECK) --stop-after=add-thread-arguments
struct Counted {
  int values[4];
};
__device__ __attribute__((used)) int mine(int x) { return x + tid_x; }
typedef int (*Function)(int);
__device__ Function chosen = mine;
// A kernel that only reads a struct reads the packed parameters in place; one that writes to it has a copy per thread.
KERNEL reads(Counted c, int* out) { *out = c.values[tid_x & 3]; }
KERNEL writes(Counted c, int* out) {
  c.values[tid_x & 3] += 1;
  *out = c.values[0];
}
KERNEL calls(int* out) { *out = chosen(3); }
// CHECK: define {{.*}}i32 @_Z4minei(i32 {{.*}}, ptr %[[THREAD:.*]])
// CHECK: getelementptr {{.*}} ptr %[[THREAD]]
// CHECK: define {{.*}}void @reads(ptr {{.*}}"reprise.in_place"{{.*}}, i32 %tid.x,
// CHECK-NOT: alloca
// CHECK: load i32, {{.*}}!invariant.load
// CHECK: define {{.*}}void @writes(
// CHECK: [[COPY:%.*]] = alloca %struct.Counted
// CHECK: call void @llvm.memcpy{{.*}}(ptr {{.*}}[[COPY]]
// CHECK: define {{.*}}void @calls(
// CHECK: call {{.*}}i32 %{{.*}}(i32 {{.*}}3, ptr %thread

// Why: shared variables of a block are offsets into one buffer and must not overlap.
// RUN(CHECK) --stop-after=allocate-shared-memory
// RUN(RECORD) --stop-after=register-module
extern __shared__ int dynamic[];
KERNEL kernel(int* out) {
  __shared__ char flag;
  __shared__ double numbers[8];
  flag = 1;
  numbers[tid_x] = 2;
  dynamic[tid_x] = 3;
  barrier();
  *out = flag + numbers[0] + dynamic[0];
}
// CHECK: define {{.*}}void @kernel(
// CHECK-DAG: %{{.*}}flag = getelementptr inbounds i8, ptr %shared, i64 [[#]]
// CHECK-DAG: %{{.*}}numbers = getelementptr inbounds i8, ptr %shared, i64 [[#]]
// Dynamic shared memory follows static shared memory.
// CHECK-DAG: %{{.*}}dynamic = getelementptr inbounds i8, ptr %shared, i64 128
// CHECK-NOT: external global
// RECORD: i32 1, i32 8, i32 128, i32

// Why: host and device code of a program find each other by these records at start-up.
// RUN(CHECK) --stop-after=register-module
__device__ int counter;
__constant__ double table[3];
__device__ __attribute__((section("reprise.managed"))) int managed = 5;
KERNEL first(int* x) { *x = counter; }
KERNEL second() {}
extern "C" __device__ int vprintf(const char*, void*);
extern "C" __device__ void* malloc(unsigned long);
KERNEL services(void** p) {
  vprintf("", 0);
  *p = malloc(8);
}
// CHECK-DAG: c"test\00"
// CHECK-DAG: c"counter\00"
// Name, address, size, kind and initial value; the storage of a managed variable is the host's.
// CHECK-DAG: ptr @counter, i64 4, i32 0, i32 0, ptr null }
// CHECK-DAG: ptr @table, i64 24, i32 1, i32 0, ptr null }
// CHECK-DAG: ptr @managed, i64 4, i32 2, i32 0, ptr @reprise.initial }
// CHECK-DAG: @reprise.initial = internal constant i32 5
// CHECK-DAG: @managed = external global i32
// CHECK: @reprise.module = {{.*}} { i32 [[#]], i32 3, i32 3, i32 [[#]], ptr {{@.*}}, ptr {{@.*}}, ptr {{@.*}} }
// CHECK: @llvm.global_ctors = {{.*}}@reprise.register
// CHECK: @llvm.global_dtors = {{.*}}@reprise.unregister
// CHECK: call {{.*}}@__reprise_vprintf
// CHECK: call {{.*}}@__reprise_malloc
// CHECK: define internal void @reprise.register()
// CHECK: call void @__reprise_register_module(ptr @reprise.module)

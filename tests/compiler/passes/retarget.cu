// Why: the x86 backend rejects NVPTX attributes, and device symbols could collide with the host's.
// RUN(CHECK) --stop-after=retarget
// RUN(RDC) --stop-after=retarget --rdc
struct Visitor {
  int value;
};
__device__ int visible(int x) { return x + 1; }
KERNEL kernel(Visitor* v, int* p) {
  v->value = visible(*p);
  __nvvm_atom_cta_add_gen_i(p, 1);
}
// CHECK: target triple = "x86_64-pc-linux-gnu"
// CHECK: define internal {{.*}}i32 @_Z7visiblei
// CHECK-NOT: "target-cpu"="sm_
// Device code has no type-based alias analysis.
// CHECK-NOT: !tbaa

// Another object may call it, by a name that differs from the host's `visible`.
// RDC: define {{.*}}i32 @reprise.device._Z7visiblei
// RDC: define internal {{.*}}void @{{.*}}kernel

// Without optimisation: calls the body of a kernel without barriers in a loop over threads.
//
//   body(x, n, ..., tid)        thunk: for each block
//                          ->            for z, for y, for x:
//                                          body(x, n, ..., {x, y, z})
//
// split_at_barriers skips kernels without optimisation, so that each thread is a call that a debugger can stop in.
#include "blocks/passes.h"
#include "blocks/thunk.h"
#include "ir/reachable_code.h"

namespace reprise_compiler::device {
namespace {

void lower(DeviceModule& module, Kernel& kernel) {
  if (module.options.optimisation) kernel.body->addFnAttr(llvm::Attribute::AlwaysInline);
  make_thunk(module, kernel, false, [&](llvm::IRBuilder<>& b, BodyArguments& arguments) {
    auto& a = arguments;
    emit_counted_loop(b, a[ThreadArgument::block_z], "tid.z", [&](llvm::IRBuilder<>&, llvm::Value* z) {
      a[ThreadArgument::thread_index_z] = z;
      emit_counted_loop(b, a[ThreadArgument::block_y], "tid.y", [&](llvm::IRBuilder<>&, llvm::Value* y) {
        a[ThreadArgument::thread_index_y] = y;
        emit_counted_loop(b, a[ThreadArgument::block_x], "tid.x", [&](llvm::IRBuilder<>&, llvm::Value* x) {
          a[ThreadArgument::thread_index_x] = x;
          set_thread_number(b, a);
          b.CreateCall(kernel.body, a.all());
        });
      });
    });
  });
}

}  // namespace

void lower_to_thread_loops(DeviceModule& module) {
  for (Kernel& kernel : module.kernels) {
    const ReachableCode reachable = reachable_from_kernel(module, *kernel.body);
    const bool waits = reachable.any(
        [](const llvm::Instruction& i) { return is_synchronization(builtin_of(i)) || needs_fibers(builtin_of(i)); });
    if (!kernel.thunk && !waits && !reachable.unknown) lower(module, kernel);
  }
}

}  // namespace reprise_compiler::device

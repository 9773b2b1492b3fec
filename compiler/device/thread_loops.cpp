// A kernel with no barrier: its threads are the iterations of a loop that LLVM vectorises.
//
//   body(x, n, ..., tid)        thunk: for each block
//                          ->            for z, for y, for x:    <- parallel: no thread depends on another
//                                          body(x, n, ..., {x, y, z})
//
// CUDA says nothing about the order of threads between barriers, so the innermost loop is declared free of
// dependences between its iterations for every plain load and store that is not to the thread's own memory.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "call_reach.h"
#include "passes.h"
#include "thunk.h"

namespace reprise::device {
namespace {

bool is_private(const llvm::Value* pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

// Puts the accesses that threads make independently of each other into a group that the loop names.
llvm::MDNode* group_accesses(llvm::Function& body) {
  auto* group = llvm::MDNode::getDistinct(body.getContext(), {});
  for (llvm::Instruction& instruction : llvm::instructions(body)) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || is_private(pointer) || instruction.isVolatile() || instruction.isAtomic()) continue;
    instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
  return group;
}

void declare_parallel(llvm::BranchInst* latch, llvm::MDNode* group) {
  llvm::LLVMContext& context = latch->getContext();
  auto* accesses = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
  auto* progress = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.mustprogress")});
  auto* loop = llvm::MDNode::getDistinct(context, {nullptr, accesses, progress});
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

void lower(DeviceModule& module, Kernel& kernel) {
  llvm::MDNode* group = group_accesses(*kernel.body);
  if (module.options.optimisation) kernel.body->addFnAttr(llvm::Attribute::AlwaysInline);
  make_thunk(module, kernel, [&](llvm::IRBuilder<>& b, BodyArguments& arguments) {
    auto& a = arguments;
    emit_counted_loop(b, a[ThreadArgument::block_z], "tid.z", [&](llvm::IRBuilder<>&, llvm::Value* z) {
      a[ThreadArgument::thread_index_z] = z;
      emit_counted_loop(b, a[ThreadArgument::block_y], "tid.y", [&](llvm::IRBuilder<>&, llvm::Value* y) {
        a[ThreadArgument::thread_index_y] = y;
        auto* latch = emit_counted_loop(b, a[ThreadArgument::block_x], "tid.x", [&](llvm::IRBuilder<>&, llvm::Value* x) {
          a[ThreadArgument::thread_index_x] = x;
          b.CreateCall(kernel.body, a.all());
        });
        declare_parallel(latch, group);
      });
    });
  });
}

}  // namespace

void lower_to_thread_loops(DeviceModule& module) {
  for (Kernel& kernel : module.kernels) {
    const Reach reach = reach_of(module, *kernel.body);
    const bool waits = reach.any([](const llvm::Instruction& i) { return is_synchronisation(marker_of(i)); });
    if (!waits && !reach.unknown) lower(module, kernel);
  }
}

}  // namespace reprise::device

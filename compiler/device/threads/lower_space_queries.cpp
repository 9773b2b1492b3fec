// Compares addresses of unknown origin with the memory of their block and of their thread.
//
//   %a = call i32 @__reprise_is_shared(ptr %p)     ->    %p - %shared < bytes of shared memory
//   %b = call i32 @__reprise_is_constant(ptr %p)   ->    %p - @c < sizeof c, for each __constant__ variable
//   %c = call i32 @__reprise_is_local(ptr %p)      ->    call i32 @__reprise_in_local_memory(ptr %launch, ptr %p)
//
// Runs after allocate_shared_memory, which decides place and size of a kernel's shared memory.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "ir/builtin.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"
#include "kernel/kernel_abi.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

class SpaceComparisons {
 public:
  SpaceComparisons(DeviceModule& module, llvm::Function& function)
      : module_(module), function_(function), kernel_(module.kernel_of(&function)) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      const Builtin query = builtin_of(instruction);
      if (!is_space_query(query)) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> b(&call);
      call.replaceAllUsesWith(answer(b, query, call.getArgOperand(0)));
      call.eraseFromParent();
    }
  }

 private:
  Value* answer(llvm::IRBuilder<>& b, Builtin query, Value* address) {
    if (query == Builtin::is_shared) return b.CreateZExt(in_shared_memory(b, address), b.getInt32Ty());
    if (query == Builtin::is_constant) return b.CreateZExt(in_constant_memory(b, address), b.getInt32Ty());
    return call_runtime(b, "__reprise_in_local_memory", b.getInt32Ty(), {launch(b), address});
  }

  static Value* in_range(llvm::IRBuilder<>& b, Value* address, Value* start, Value* bytes) {
    Value* offset = b.CreateSub(b.CreatePtrToInt(address, b.getInt64Ty()), b.CreatePtrToInt(start, b.getInt64Ty()));
    return b.CreateICmpULT(offset, bytes);
  }

  Value* in_shared_memory(llvm::IRBuilder<>& b, Value* address) {
    Value* dynamic = b.CreateZExt(load_launch_field(b, launch(b), launch_dynamic_shared), b.getInt64Ty());
    if (kernel_)
      return in_range(b, address, thread_argument(function_, ThreadArgument::shared),
                      b.CreateAdd(dynamic, b.getInt64(kernel_->static_shared)));
    Value *start = from_context(b, context_shared), *end = from_context(b, context_dynamic_shared);
    Value* fixed = b.CreateSub(b.CreatePtrToInt(end, b.getInt64Ty()), b.CreatePtrToInt(start, b.getInt64Ty()));
    return in_range(b, address, start, b.CreateAdd(fixed, dynamic));
  }

  Value* launch(llvm::IRBuilder<>& b) {
    return kernel_ ? thread_argument(function_, ThreadArgument::launch) : from_context(b, context_launch);
  }

  Value* from_context(llvm::IRBuilder<>& b, ContextField field) {
    Value* context = function_.getArg(function_.arg_size() - 1);
    return b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(thread_context_type(b.getContext()), context, field));
  }

  // The constants of this module; those of other device objects are not known here.
  Value* in_constant_memory(llvm::IRBuilder<>& b, Value* address) {
    Value* found = b.getFalse();
    for (const Variable& variable : module_.variables) {
      if (variable.kind != reprise_constant_variable) continue;
      const uint64_t bytes = module_.layout().getTypeAllocSize(variable.storage->getValueType());
      found = b.CreateOr(found, in_range(b, address, variable.storage, b.getInt64(bytes)));
    }
    return found;
  }

  DeviceModule& module_;
  llvm::Function& function_;
  const Kernel* kernel_;
};

}  // namespace

void lower_space_queries(DeviceModule& module) {
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration()) SpaceComparisons(module, function).run();
}

}  // namespace reprise_compiler::device

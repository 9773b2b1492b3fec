// Puts every function into the kernels that call it, and takes away what clang's unoptimised code has too much of.
//
//   define void @k() { call float @f(float %x) }      define void @k() { ...the body of f... }
//   define internal float @f(float) { ... }     ->
//
// Barriers inside functions and indices inside functions are then the kernel's own. What is left afterwards is
// recursive, called through a pointer or defined in another object.
#include <llvm/IR/InstIterator.h>

#include "ir/llvm_passes.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

void mark_for_inlining(DeviceModule& module) {
  for (llvm::Function& function : module.ir) {
    if (function.isDeclaration() || module.kernel_of(&function)) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  for (Kernel& kernel : module.kernels) {
    kernel.body->removeFnAttr(llvm::Attribute::OptimizeNone);
    // Nothing calls a kernel any more; keep the clean-up below from dropping it.
    kernel.body->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

void unmark(DeviceModule& module) {
  for (llvm::Function& function : module.ir) function.removeFnAttr(llvm::Attribute::AlwaysInline);
  for (Kernel& kernel : module.kernels) kernel.body->setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace

void inline_functions(DeviceModule& module) {
  if (module.options.optimisation == 0) return run_llvm_passes(module, "always-inline");  // the headers' wrappers
  mark_for_inlining(module);
  run_llvm_passes(module,
                  "always-inline,"
                  "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg),"
                  // Loops of a known length around a shuffle or a tile become straight code: shuffles by a constant.
                  "function(loop-simplify,lcssa,loop(indvars,loop-unroll-full),sroa,early-cse<memssa>,simplifycfg,"
                  "instcombine<no-verify-fixpoint>,simplifycfg),"
                  "globaldce");
  unmark(module);
}

}  // namespace reprise_compiler::device

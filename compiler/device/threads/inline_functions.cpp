// Inlines every function into the kernels that call it, and simplifies clang's unoptimised code.
//
//   define void @k() { call float @f(float %x) }      define void @k() { ...the body of f... }
//   define internal float @f(float) { ... }     ->
//
// Barriers and indices inside functions then belong to the kernel. The functions that remain are recursive, called
// through a pointer, defined in another object, or not worth their copies (threads/inline_budget.h).
#include <llvm/IR/InstIterator.h>

#include "ir/llvm_passes.h"
#include "threads/inline_budget.h"
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
    // Nothing in the module calls a kernel; external linkage keeps globaldce from dropping it.
    kernel.body->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

void unmark(DeviceModule& module) {
  for (llvm::Function& function : module.ir) function.removeFnAttr(llvm::Attribute::AlwaysInline);
  for (Kernel& kernel : module.kernels) kernel.body->setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace

void inline_functions(DeviceModule& module) {
  if (module.options.optimisation == 0) return run_llvm_passes(module, "always-inline");  // wrappers in headers
  mark_for_inlining(module);
  // What is simplified here need not be simplified in each copy.
  run_llvm_passes(module, "function(sroa,early-cse,simplifycfg)");
  for (llvm::Function* function : functions_over_inline_budget(module))
    function->removeFnAttr(llvm::Attribute::AlwaysInline);
  run_llvm_passes(module,
                  "always-inline,"
                  "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg),"
                  // Unrolls loops of known length around shuffles, whose lane offsets then are constants.
                  "function(loop-simplify,lcssa,loop(indvars,loop-unroll-full),sroa,early-cse<memssa>,simplifycfg,"
                  "instcombine<no-verify-fixpoint>,simplifycfg),"
                  "globaldce");
  unmark(module);
}

}  // namespace reprise_compiler::device

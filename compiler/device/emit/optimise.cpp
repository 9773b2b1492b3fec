// Runs LLVM's own pipeline on the finished module: inlines bodies into their loops, vectorises, unrolls.
#include "emit/passes.h"
#include "ir/llvm_passes.h"

namespace reprise_compiler::device {

void optimise(DeviceModule& module) {
  for (llvm::Function& function : module.ir) {
    if (function.isDeclaration() || function.hasFnAttribute("target-cpu")) continue;
    function.addFnAttr("target-cpu", module.machine.getTargetCPU());
    function.addFnAttr("target-features", module.machine.getTargetFeatureString());
    function.removeFnAttr(llvm::Attribute::Convergent);
  }
  run_default_pipeline(module, module.options.optimisation);
}

}  // namespace reprise_compiler::device

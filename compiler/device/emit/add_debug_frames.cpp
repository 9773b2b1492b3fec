// Adds debug information to the functions that this compiler generates. Without it, code that is inlined into them
// loses its lines.
//
//   define void @thunk.k(...)                       define void @thunk.k(...) !dbg "thunk.k", at the kernel's line
//     call void @block.k(...)                  ->     call void @block.k(...), !dbg line of the kernel
//
// Runs after the passes that create functions, and before unroll_around_threads, which inlines.
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "emit/passes.h"

namespace reprise_compiler::device {
namespace {

void add_frame(llvm::Function& function, const llvm::DISubprogram& like) {
  llvm::DIBuilder builder(*function.getParent(), false, like.getUnit());
  llvm::DISubroutineType* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  llvm::DISubprogram* program = builder.createFunction(
      like.getFile(), function.getName(), function.getName(), like.getFile(), like.getLine(), type, like.getLine(),
      llvm::DINode::FlagArtificial, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit);
  builder.finalizeSubprogram(program);
  builder.finalize();
  function.setSubprogram(program);
  llvm::DILocation* line = llvm::DILocation::get(function.getContext(), like.getLine(), 0, program);
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (llvm::isa<llvm::CallBase>(instruction)) instruction.setDebugLoc(line);
}

}  // namespace

void add_debug_frames(DeviceModule& module) {
  if (!module.options.debug_info) return;
  for (const Kernel& kernel : module.kernels) {
    const llvm::DISubprogram* like = kernel.body->getSubprogram();
    if (!like || !like->getUnit()) continue;
    for (const char* prefix : {"thunk.", "shaped.", "by_shape.", "choose.", "fibers.", "fiber."})
      if (llvm::Function* function = module.ir.getFunction(prefix + kernel.name);
          function && !function->getSubprogram())
        add_frame(*function, *like);
  }
}

}  // namespace reprise_compiler::device

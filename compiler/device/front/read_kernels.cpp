// Finds the kernels, their launch bounds and the offsets of their parameters.
//
//   !nvvm.annotations = {@k "kernel"}, {@k "maxntidx", 256}
//   define void @k(ptr byval(%S) align 8 %s, i32 %n)
//                                  |
//                                  v
//   Kernel{name "k", parameters {0,24} {24,4}, max_threads 256}
//
// CUDA packs parameters one after the other, each at its own alignment; the host side uses the same offsets.
//
// The first pass: later passes replace the functions that annotations refer to.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include "front/passes.h"
#include "ir/diagnostic.h"
#include "ir/kernel_attributes.h"

namespace reprise_compiler::device {
namespace {

void lay_out_parameters(Kernel& kernel, const llvm::DataLayout& layout) {
  uint64_t end = 0;
  for (llvm::Argument& argument : kernel.body->args()) {
    llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    llvm::Align alignment = layout.getABITypeAlign(type);
    if (argument.hasByValAttr()) alignment = argument.getParamAlign().value_or(alignment);
    const uint64_t size = type->isIntegerTy(1) ? 1 : layout.getTypeAllocSize(type).getFixedValue();
    const uint64_t offset = llvm::alignTo(end, alignment);
    kernel.parameters.push_back({uint32_t(offset), uint32_t(size)});
    end = offset + size;
  }
  kernel.parameter_bytes = uint32_t(end);
}

void apply_annotation(DeviceModule& module, llvm::Function* function, llvm::StringRef key, uint64_t value) {
  if (key == "kernel") {
    Kernel kernel;
    kernel.name = function->getName().str();
    kernel.body = function;
    lay_out_parameters(kernel, module.layout());
    module.kernels.push_back(std::move(kernel));
  }
  Kernel* kernel = module.kernel_of(function);
  if (!kernel) return;
  if (key == "maxntidx") kernel->max_threads = uint32_t(value);
  if (key == "minctasm") kernel->min_blocks = uint32_t(value);
}

}  // namespace

void read_kernels(DeviceModule& module) {
  llvm::NamedMDNode* annotations = module.ir.getNamedMetadata("nvvm.annotations");
  if (!annotations) return;
  // Launch bounds may precede the annotation that declares the kernel, so kernels are read first.
  for (bool kernels_only : {true, false})
    for (llvm::MDNode* node : annotations->operands()) {
      auto* function =
          node->getNumOperands() ? llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)) : nullptr;
      if (!function || function->isDeclaration()) continue;
      for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
        auto* key = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
        auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(i + 1));
        if (key && value && (key->getString() == "kernel") == kernels_only)
          apply_annotation(module, function, key->getString(), value->getZExtValue());
      }
    }
  annotations->eraseFromParent();
  save_kernel_attributes(module);
}

}  // namespace reprise_compiler::device

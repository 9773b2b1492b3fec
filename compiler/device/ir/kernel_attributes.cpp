#include "ir/kernel_attributes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/CommandLine.h>

namespace reprise_compiler::device {
namespace {

constexpr llvm::StringLiteral kept_in = "reprise.kernel_attributes";

// Clang always compiles for the same target; the driver passes the value of -arch.
llvm::cl::opt<unsigned> architecture("reprise-architecture", llvm::cl::desc("__CUDA_ARCH__ / 10"), llvm::cl::init(0));

bool is_cluster_annotation(const llvm::ConstantStruct& annotation) {
  auto* text = llvm::dyn_cast<llvm::GlobalVariable>(annotation.getOperand(1)->stripPointerCasts());
  auto* words = text ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
  return words && words->isCString() && words->getAsCString() == "reprise.cluster_dims";
}

// Headers define __cluster_dims__(x, y, z) as an annotation with these numbers; omitted ones are 1.
void read_cluster(const llvm::Function& function, KernelAttributes& into) {
  const llvm::GlobalVariable* annotations = function.getParent()->getGlobalVariable("llvm.global.annotations");
  if (!annotations) return;
  for (const llvm::Use& use : annotations->getInitializer()->operands()) {
    auto* annotation = llvm::cast<llvm::ConstantStruct>(use);
    if (annotation->getOperand(0)->stripPointerCasts() != &function || !is_cluster_annotation(*annotation)) continue;
    auto* values = llvm::dyn_cast<llvm::GlobalVariable>(annotation->getOperand(4)->stripPointerCasts());
    for (unsigned i = 0; i < 3; ++i) {
      auto* value = values ? values->getInitializer()->getAggregateElement(i) : nullptr;
      auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
      into.cluster[i] = number ? uint32_t(number->getZExtValue()) : 1;
    }
  }
}

}  // namespace

void save_kernel_attributes(DeviceModule& module) {
  llvm::LLVMContext& context = module.ir.getContext();
  auto number = [&](uint32_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  llvm::NamedMDNode* kept = module.ir.getOrInsertNamedMetadata(kept_in);
  for (const Kernel& kernel : module.kernels) {
    KernelAttributes what{architecture};
    read_cluster(*kernel.body, what);
    kept->addOperand(
        llvm::MDNode::get(context, {llvm::MDString::get(context, kernel.name), number(what.architecture),
                                    number(what.cluster[0]), number(what.cluster[1]), number(what.cluster[2])}));
  }
}

KernelAttributes kernel_attributes(const llvm::Module& ir, llvm::StringRef kernel) {
  KernelAttributes found;
  const llvm::NamedMDNode* kept = ir.getNamedMetadata(kept_in);
  if (!kept) return found;
  for (const llvm::MDNode* node : kept->operands()) {
    if (llvm::cast<llvm::MDString>(node->getOperand(0))->getString() != kernel) continue;
    auto number = [&](unsigned i) {
      return uint32_t(llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(i))->getZExtValue());
    };
    found = {number(1), {number(2), number(3), number(4)}};
  }
  return found;
}

}  // namespace reprise_compiler::device

#include "threads/by_value_parameters.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

bool is_only_read(const Value* pointer, int depth = 0) {
  return depth < 16 && llvm::all_of(
                           pointer->users(),
                           [&](const llvm::User* user) {
                             if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return !load->isVolatile();
                             if (llvm::isa<llvm::GetElementPtrInst>(user)) return is_only_read(user, depth + 1);
                             if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user))
                               return copy->getRawDest() != pointer && !copy->isVolatile();
                             auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
                             if (instruction && is_space_query(builtin_of(*instruction))) return true;
                             return llvm::isa<llvm::DbgInfoIntrinsic>(user);
                           });
}

void mark_loads_invariant(Value* pointer) {
  for (llvm::User* user : pointer->users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
    if (llvm::isa<llvm::GetElementPtrInst>(user)) mark_loads_invariant(user);
  }
}

// Alignment that the runtime guarantees for packed parameters; see kernel_abi.h.
constexpr llvm::Align packed_alignment = llvm::Align::Constant<16>();

}  // namespace

void lower_by_value_parameters(llvm::Function& body) {
  const llvm::DataLayout& layout = body.getParent()->getDataLayout();
  for (llvm::Argument& argument : body.args()) {
    if (!argument.hasByValAttr()) continue;
    llvm::Type* type = argument.getParamByValType();
    const llvm::Align alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    body.removeParamAttr(argument.getArgNo(), llvm::Attribute::ByVal);
    body.removeParamAttr(argument.getArgNo(), llvm::Attribute::Alignment);
    const llvm::Align known = std::min(alignment, packed_alignment);
    body.addParamAttr(argument.getArgNo(), llvm::Attribute::getWithAlignment(body.getContext(), known));
    body.addParamAttr(argument.getArgNo(),
                      llvm::Attribute::get(body.getContext(), "reprise.in_place"));  // blocks/thunk.cpp
    if (alignment <= packed_alignment && is_only_read(&argument)) {
      mark_loads_invariant(&argument);
      continue;
    }
    llvm::IRBuilder<> builder(&body.getEntryBlock(), body.getEntryBlock().begin());
    llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    copy->setAlignment(std::max(alignment, copy->getAlign()));
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, known, layout.getTypeAllocSize(type));
  }
}

}  // namespace reprise_compiler::device

#include "blocks/promote_shared_memory.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "ir/thread_arguments.h"

namespace reprise_compiler::device {
namespace {

constexpr uint64_t max_bytes = 8192;  // the stack may be that of a user's thread
constexpr uint64_t alignment = 128;   // kernel_abi.h

std::vector<llvm::LoadInst*> loads_of(llvm::Function& thunk, LaunchField field) {
  const llvm::DataLayout& layout = thunk.getParent()->getDataLayout();
  const uint64_t place = layout.getStructLayout(launch_type(thunk.getContext()))->getElementOffset(field);
  std::vector<llvm::LoadInst*> loads;
  for (llvm::Instruction& instruction : llvm::instructions(thunk)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->getType()->isPointerTy()) continue;
    llvm::APInt offset(64, 0);
    if (load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, false) == thunk.getArg(1) &&
        offset == place)
      loads.push_back(load);
  }
  return loads;
}

bool may_read(const llvm::LoadInst& load, const llvm::AllocaInst& memory) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(load.getPointerOperand(), objects, nullptr, 0);
  return llvm::is_contained(objects, &memory);
}

void freeze_loads_from(llvm::Function& thunk, const llvm::AllocaInst* memory) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thunk))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !may_read(*load, *memory)) continue;
    load->setMetadata(llvm::LLVMContext::MD_noundef, nullptr);
    auto* frozen = new llvm::FreezeInst(load, "", std::next(load->getIterator()));
    load->replaceUsesWithIf(frozen, [&](llvm::Use& use) { return use.getUser() != frozen; });
  }
}

}  // namespace

void inline_with_promoted_shared_memory(llvm::Function& thunk, const Kernel& kernel, llvm::CallInst& block) {
  llvm::InlineFunctionInfo info;
  if (kernel.static_shared == 0 || kernel.static_shared > max_bytes || kernel.has_dynamic_shared) {
    llvm::InlineFunction(block, info);
    return;
  }
  llvm::IRBuilder<> b(&thunk.getEntryBlock(), thunk.getEntryBlock().begin());
  llvm::AllocaInst* memory =
      b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), kernel.static_shared), nullptr, "shared");
  memory->setAlignment(llvm::Align(alignment));
  b.SetInsertPoint(&block);
  llvm::CallInst* start = b.CreateLifetimeStart(memory, b.getInt64(kernel.static_shared));
  b.SetInsertPoint(block.getNextNode());
  llvm::CallInst* end = b.CreateLifetimeEnd(memory, b.getInt64(kernel.static_shared));
  llvm::InlineFunction(block, info);

  const std::vector<llvm::LoadInst*> loads = loads_of(thunk, launch_shared);
  if (llvm::any_of(loads, [](llvm::LoadInst* load) { return llvm::PointerMayBeCaptured(load, false, true); })) {
    for (llvm::Instruction* instruction : std::initializer_list<llvm::Instruction*>{start, end, memory})
      instruction->eraseFromParent();
    return;
  }
  for (llvm::LoadInst* load : loads) {
    load->replaceAllUsesWith(memory);
    load->eraseFromParent();
  }
  freeze_loads_from(thunk, memory);
}

}  // namespace reprise_compiler::device

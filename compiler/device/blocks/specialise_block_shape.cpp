// Adds a copy of a kernel with barriers, specialised for the block shape that threads/guess_block_shape.cpp guessed.
//
//   __shared__ float tile[16][16];         by_shape.k:  blockDim == {16, 16, 1} ? shaped.k : thunk.k
//   thunk.k: blockDim from the launch  ->  shaped.k:    thunk.k with blockDim known
//
// Loops over threads between barriers are short. With known trip counts they need no remainder loops and unroll into
// straight-line vector code whose values stay in registers. A module with very many kernels has copies only of kernels
// whose shape the source suggests.
//
// Runs after split_at_barriers, whose result it copies, and before fibers add another way to run the kernel.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <vector>

#include "blocks/passes.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {
namespace {

using Shape = std::array<uint32_t, 3>;

void replace_block_size(llvm::Function& thunk, const Shape& shape) {
  const llvm::DataLayout& layout = thunk.getParent()->getDataLayout();
  const uint64_t start = layout.getStructLayout(launch_type(thunk.getContext()))->getElementOffset(launch_block);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thunk))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->getType()->isIntegerTy(32)) continue;
    llvm::APInt offset(64, 0);
    if (load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, false) != thunk.getArg(1))
      continue;
    const uint64_t axis = (offset.getZExtValue() - start) / sizeof(uint32_t);
    if (offset.ult(start) || axis >= shape.size()) continue;
    load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), shape[axis]));
    load->eraseFromParent();
  }
}

llvm::Function* copy_for(const Kernel& kernel, const Shape& shape) {
  llvm::ValueToValueMapTy map;
  llvm::Function* shaped = llvm::CloneFunction(kernel.thunk, map);
  shaped->setName("shaped." + kernel.name);
  replace_block_size(*shaped, shape);
  return shaped;
}

llvm::Function* choose_by_shape(DeviceModule& module, const Kernel& kernel, const Shape& shape,
                                llvm::Function* shaped) {
  llvm::LLVMContext& context = module.ir.getContext();
  auto* thunk = llvm::Function::Create(kernel.thunk->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                       "by_shape." + kernel.name, module.ir);
  thunk->addFnAttr(llvm::Attribute::NoUnwind);
  auto* entry = llvm::BasicBlock::Create(context, "entry", thunk);
  auto* likely = llvm::BasicBlock::Create(context, "likely", thunk);
  auto* other = llvm::BasicBlock::Create(context, "other", thunk);
  llvm::IRBuilder<> b(entry);
  llvm::Value* same = b.getTrue();
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    llvm::Value* size = load_launch_field(b, thunk->getArg(1), launch_block, axis);
    same = b.CreateAnd(same, b.CreateICmpEQ(size, b.getInt32(shape[axis])));
  }
  b.CreateCondBr(same, likely, other);
  for (auto [block, callee] : {std::pair(likely, shaped), std::pair(other, kernel.thunk)}) {
    b.SetInsertPoint(block);
    b.CreateCall(callee, {thunk->getArg(0), thunk->getArg(1)});
    b.CreateRetVoid();
  }
  return thunk;
}

// Instructions that the copies of a module may have before the compiler becomes choosy. LLVM takes about a second for
// 10,000 of them.
constexpr uint64_t usual_copies = 15'000, most_copies = 60'000;

uint64_t size_of_block(const DeviceModule& module, const Kernel& kernel) {
  const llvm::Function* block = module.ir.getFunction("block." + kernel.name);
  return (block ? block->getInstructionCount() : 0) + kernel.thunk->getInstructionCount();
}

// The guess is one of several usual shapes, not what the source suggests.
bool is_vague_guess(const Kernel& kernel) { return kernel.static_shared == 0 && kernel.max_threads == 0; }

std::vector<Kernel*> kernels_to_copy(DeviceModule& module) {
  std::vector<Kernel*> kernels;
  uint64_t total = 0, copied = 0;
  for (Kernel& kernel : module.kernels)
    if (kernel.thunk && kernel.has_regions) kernels.push_back(&kernel), total += size_of_block(module, kernel);
  if (total > usual_copies)
    llvm::erase_if(kernels, [&](const Kernel* kernel) {
      return is_vague_guess(*kernel) || (copied += size_of_block(module, *kernel)) > most_copies;
    });
  return kernels;
}

}  // namespace

void specialise_block_shape(DeviceModule& module) {
  if (module.options.optimisation < 2) return;
  for (Kernel* each : kernels_to_copy(module)) {
    Kernel& kernel = *each;
    llvm::Function* shaped = copy_for(kernel, kernel.likely_block);
    kernel.thunk = choose_by_shape(module, kernel, kernel.likely_block, shaped);
  }
}

}  // namespace reprise_compiler::device

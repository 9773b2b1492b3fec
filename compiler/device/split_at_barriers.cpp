// Splits kernels at their barriers into regions, each a loop over the threads of the block.
//
//   body:  A; __syncthreads(); B      ->      block:  for each thread: A;  for each thread: B
//
// Works on a copy of the body, with the tools of skeleton.h, scalar_values.h, region_values.h, exited_threads.h and
// region_loops.h. A kernel without barriers is one region. A kernel for which splitting cannot be shown to be right is
// left alone, and runs as fibers.
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "call_reach.h"
#include "exited_threads.h"
#include "llvm_passes.h"
#include "marker.h"
#include "passes.h"
#include "region_loops.h"
#include "region_values.h"
#include "remark.h"
#include "thread_arguments.h"
#include "thunk.h"

namespace reprise::device {
namespace {

using llvm::BasicBlock;

BasicBlock* unify_returns(llvm::Function& body) {
  auto* end = BasicBlock::Create(body.getContext(), "end", &body);
  auto* last = llvm::ReturnInst::Create(body.getContext(), end);
  for (BasicBlock& block : body)
    if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()); ret && ret != last) {
      llvm::BranchInst::Create(end, ret->getIterator())->setDebugLoc(ret->getDebugLoc());
      ret->eraseFromParent();
    }
  return end;
}

bool synchronises(const llvm::Instruction& instruction) { return is_synchronisation(marker_of(instruction)); }

std::set<const BasicBlock*> blocks_leading_to_sync(llvm::Function& body) {
  std::set<const BasicBlock*> leading;
  std::vector<BasicBlock*> pending;
  for (llvm::Instruction& instruction : llvm::instructions(body))
    if (synchronises(instruction)) pending.push_back(instruction.getParent());
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (!leading.insert(block).second) continue;
    for (BasicBlock* before : llvm::predecessors(block)) pending.push_back(before);
  }
  return leading;
}

// What only threads that leave could reach; their own copies are out of reach for the time being, and stay.
void drop_unreachable(llvm::Function& body, const std::vector<EarlyExit>& exits) {
  std::set<BasicBlock*> keep;
  for (const EarlyExit& exit : exits) keep.insert(exit.tail.begin(), exit.tail.end());
  std::vector<BasicBlock*> reachable{&body.getEntryBlock()};
  std::set<BasicBlock*> seen{&body.getEntryBlock()};
  while (!reachable.empty()) {
    BasicBlock* block = reachable.back();
    reachable.pop_back();
    for (BasicBlock* next : llvm::successors(block))
      if (seen.insert(next).second) reachable.push_back(next);
  }
  llvm::SmallVector<BasicBlock*, 8> dead;
  for (BasicBlock& block : body)
    if (!seen.count(&block) && !keep.count(&block)) dead.push_back(&block);
  llvm::DeleteDeadBlocks(dead);
}

class Splitter {
 public:
  Splitter(DeviceModule& module, Kernel& kernel) : module_(module), kernel_(kernel) {}

  bool run() {
    if (!is_suitable()) return false;
    llvm::ValueToValueMapTy map;
    block_ = llvm::CloneFunction(kernel_.body, map);
    block_->setName("block." + kernel_.name);
    block_->addFnAttr(llvm::Attribute::AlwaysInline);
    run_llvm_passes(module_, *block_, "lower-switch,loop-simplify,lcssa");
    if (!split()) {
      block_->eraseFromParent();
      return false;
    }
    make_thunk(module_, kernel_, [&](llvm::IRBuilder<>& b, BodyArguments& arguments) {
      for (ThreadArgument which = ThreadArgument::thread_index_x; which != ThreadArgument::count; which = which + 1)
        arguments[which] = llvm::PoisonValue::get(thread_argument(*block_, which)->getType());
      b.CreateCall(block_, arguments.all());
    });
    return true;
  }

 private:
  bool refuse(const llvm::Instruction* where, const std::string& why) {
    remark(module_, kernel_, where, "runs as fibers: " + why);
    return false;
  }

  bool is_suitable() {
    const Reach reach = reach_of(module_, *kernel_.body);
    if (reach.unknown) return refuse(nullptr, "it calls functions of other files");
    for (const llvm::Function* function : reach.functions)
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (!synchronises(instruction)) continue;
        if (function != kernel_.body) return refuse(&instruction, "a barrier in a function that is not inlined");
        if (is_warp_level(marker_of(instruction))) return refuse(&instruction, "a warp operation");
        if (marker_of(instruction) != Marker::barrier) return refuse(&instruction, "a barrier of a special kind");
      }
    return true;
  }

  bool split() {
    BasicBlock* end = unify_returns(*block_);
    const std::set<const BasicBlock*> leading = blocks_leading_to_sync(*block_);
    Skeleton skeleton;
    {
      const Uniformity uniformity(*block_, Level::block);
      if (!detach_early_exits(
              *block_, [&](const BasicBlock& block) { return leading.count(&block) != 0; },
              [&](const BasicBlock& block) { return uniformity.is_divergent_branch(block); }, skeleton.early_exits))
        return refuse(nullptr, "too much code after which threads leave");
    }
    drop_unreachable(*block_, skeleton.early_exits);
    const Uniformity uniformity(*block_, Level::block);
    if (!skeleton.build(*block_, end, synchronises, uniformity)) return refuse(skeleton.where(), skeleton.why());
    skeleton.attach_early_exits();
    ScalarValues scalars(skeleton, uniformity);
    Slots slots(*block_, thread_argument(*block_, ThreadArgument::thread_number));
    RegionValues values(skeleton, scalars, slots, nullptr);
    if (!values.run()) return refuse(values.where(), values.why());
    guard_against_exited_threads(skeleton, values, slots);
    for (Region& region : skeleton.regions())
      if (does_nothing(region))
        bypass(skeleton, region);
      else
        wrap_in_thread_loop(skeleton, region);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*block_)))
      if (synchronises(instruction)) instruction.eraseFromParent();
    llvm::removeUnreachableBlocks(*block_);
    kernel_.scratch_per_thread = uint32_t(slots.bytes_per_thread());
    return true;
  }

  DeviceModule& module_;
  Kernel& kernel_;
  llvm::Function* block_ = nullptr;
};

}  // namespace

void split_at_barriers(DeviceModule& module) {
  if (module.options.optimisation == 0 || module.options.force_fibers) return;
  for (Kernel& kernel : module.kernels)
    if (!kernel.thunk) Splitter(module, kernel).run();
}

}  // namespace reprise::device

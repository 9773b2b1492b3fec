#include "regions/thread_clocks.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/builtin.h"
#include "ir/clock_reads.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"
#include "kernel/thread_clock.h"

namespace reprise_compiler::device {
namespace {

using llvm::Instruction;

bool is_wait(const Instruction& instruction) {
  return builtin_of(instruction) == Builtin::wait_start || builtin_of(instruction) == Builtin::wait;
}

bool uses_clock(const Region& region) {
  return llvm::any_of(region.blocks, [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& i) { return reads_clock(i) || is_wait(i); });
  });
}

// True if the thread may see what another thread has done.
bool observes_other_threads(const Instruction& instruction) {
  if (instruction.isVolatile() || instruction.isAtomic()) {
    const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    return !address || !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || llvm::isa<llvm::IntrinsicInst>(call) || builtin_of(*call) != Builtin::none ||
      call->doesNotAccessMemory())
    return false;
  return !call->getCalledFunction() || !call->getCalledFunction()->getName().starts_with("__reprise_clock_");
}

}  // namespace

ThreadClocks::ThreadClocks(llvm::Function& body) : body_(body) {
  for (Instruction& instruction : llvm::instructions(body))
    if (is_wait(instruction)) waits_.push_back(&instruction);
}

void ThreadClocks::disable() {
  for (Instruction* wait : waits_) wait->eraseFromParent();
  waits_.clear();
}

void ThreadClocks::call(Instruction* before, llvm::StringRef function, llvm::ArrayRef<llvm::Value*> more) {
  llvm::IRBuilder<> b(before);
  std::vector<llvm::Value*> arguments{clock_};
  arguments.insert(arguments.end(), more.begin(), more.end());
  call_runtime(b, function, b.getVoidTy(), arguments);
}

void ThreadClocks::start_regions(RegionGraph& graph) {
  if (!is_needed()) return;
  llvm::IRBuilder<> b(&*body_.getEntryBlock().getFirstInsertionPt());
  auto* type = llvm::ArrayType::get(b.getInt64Ty(), sizeof(reprise_thread_clock) / sizeof(uint64_t));
  clock_ = b.CreateAlloca(type, nullptr, "clock");
  auto argument = [&](ThreadArgument which) { return thread_argument(body_, which); };
  call(graph.start()->getTerminator(), "__reprise_clock_start_block",
       {argument(ThreadArgument::launch), argument(ThreadArgument::block_index_x),
        argument(ThreadArgument::block_index_y), argument(ThreadArgument::block_index_z)});
  for (Region& region : graph.regions()) {
    if (!uses_clock(region)) continue;
    if (region.prologue->getSinglePredecessor() != graph.start())
      call(region.prologue->getTerminator(), "__reprise_clock_start_region");
    call(region.entry->getTerminator(), "__reprise_clock_start_thread");
  }
}

void ThreadClocks::start_parts(RegionGraph& graph) {
  if (!is_needed()) return;
  for (Region& part : graph.regions()) {
    if (!uses_clock(part)) continue;
    const bool is_first = part.prologue->getSinglePredecessor() == graph.start();
    call(part.prologue->getTerminator(), is_first ? "__reprise_clock_start_warp" : "__reprise_clock_start_lanes");
    call(part.entry->getTerminator(), "__reprise_clock_start_thread");
  }
}

void ThreadClocks::replace_reads() {
  if (!is_needed()) return;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(body_))) {
    const Builtin builtin = builtin_of(instruction);
    if (builtin == Builtin::wait_start)
      call(&instruction, "__reprise_clock_start_wait");
    else if (builtin == Builtin::wait)
      call(&instruction, "__reprise_clock_wait");
    else if (reads_clock(instruction))
      instruction.replaceAllUsesWith(read(llvm::cast<llvm::CallInst>(instruction)));
    else if (observes_other_threads(instruction))
      call(&instruction, "__reprise_clock_catch_up");
    if (is_wait(instruction) || reads_clock(instruction)) instruction.eraseFromParent();
  }
}

llvm::Value* ThreadClocks::read(llvm::CallInst& call) {
  llvm::IRBuilder<> b(&call);
  const bool is_global = call.getCalledFunction()->getName() == global_clock;
  return call_runtime(b, is_global ? "__reprise_clock_read_global" : "__reprise_clock_read", b.getInt64Ty(), {clock_});
}

}  // namespace reprise_compiler::device

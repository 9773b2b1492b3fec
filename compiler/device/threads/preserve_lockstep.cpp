// Keeps the lanes of a warp in lockstep between accesses to volatile shared memory.
//
//   volatile int* s;                          a = s[t] + s[t + 16];
//   s[t] += s[t + 16];                 ->     __syncwarp(__activemask());  s[t] = a;
//   s[t] += s[t + 8];                         __syncwarp(__activemask());  a = s[t] + s[t + 8]; ...
//
// Programs older than __syncwarp exchange values in this way in the last steps of a reduction or scan, and GPUs still
// run them as intended. An access that follows a barrier or a warp operation needs no synchronization.
//
// Runs after inlining, where the origin of a pointer is visible, and before add_thread_arguments, since warp operations
// in functions need a thread context.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>

#include "ir/builtin.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

// Accesses to volatile shared memory since the last synchronization of the warp.
struct PendingAccesses {
  bool loaded = false, stored = false;
};

class Lockstep {
 public:
  Lockstep(DeviceModule& module, llvm::Function& function)
      : function_(function), shared_(module.shared_variables()), unoptimised_(module.options.optimisation == 0) {}

  void run() {
    bool changed = find_accesses();
    while (changed) {
      changed = false;
      for (llvm::BasicBlock& block : function_) changed |= propagate(block);
    }
    for (llvm::BasicBlock& block : function_) insert_warp_syncs(block);
  }

 private:
  // Unoptimised code keeps pointers in variables, which hides their origin.
  bool may_be_shared(const llvm::Value* pointer) const {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
    return llvm::any_of(objects, [&](const llvm::Value* object) {
      return llvm::is_contained(shared_, object) || (unoptimised_ && llvm::isa<llvm::LoadInst>(object));
    });
  }

  bool find_accesses() {
    for (llvm::BasicBlock& block : function_)
      for (llvm::Instruction& instruction : block)
        if (instruction.isVolatile() && llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) &&
            may_be_shared(llvm::getLoadStorePointerOperand(&instruction)))
          accesses_.insert(&instruction);
    return !accesses_.empty();
  }

  bool needs_sync(const llvm::Instruction& access, PendingAccesses pending) const {
    return pending.stored || (pending.loaded && llvm::isa<llvm::StoreInst>(access));
  }

  void update(const llvm::Instruction& instruction, PendingAccesses& pending) const {
    if (is_synchronization(builtin_of(instruction))) pending = {};
    if (accesses_.contains(&instruction))
      (llvm::isa<llvm::StoreInst>(instruction) ? pending.stored : pending.loaded) = true;
  }

  bool propagate(llvm::BasicBlock& block) {
    PendingAccesses pending = at_start_[&block];
    for (const llvm::Instruction& instruction : block) update(instruction, pending);
    bool changed = false;
    for (llvm::BasicBlock* next : llvm::successors(&block)) {
      PendingAccesses& next_pending = at_start_[next];
      changed |= (pending.loaded && !next_pending.loaded) || (pending.stored && !next_pending.stored);
      next_pending = {next_pending.loaded || pending.loaded, next_pending.stored || pending.stored};
    }
    return changed;
  }

  void insert_warp_syncs(llvm::BasicBlock& block) {
    PendingAccesses pending = at_start_[&block];
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (accesses_.contains(&instruction) && needs_sync(instruction, pending)) {
        llvm::IRBuilder<> builder(&instruction);
        call_builtin(builder, Builtin::warp_sync, {call_builtin(builder, Builtin::active_mask)});
        pending = {};
      }
      update(instruction, pending);
    }
  }

  llvm::Function& function_;
  const std::vector<llvm::GlobalVariable*> shared_;
  const bool unoptimised_;
  llvm::SmallPtrSet<const llvm::Instruction*, 16> accesses_;
  std::map<const llvm::BasicBlock*, PendingAccesses> at_start_;
};

}  // namespace

void preserve_lockstep(DeviceModule& module) {
  if (module.shared.empty()) return;
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration()) Lockstep(module, function).run();
}

}  // namespace reprise_compiler::device

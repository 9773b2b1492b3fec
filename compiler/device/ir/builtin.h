// Device builtins: functions named __reprise_* that device headers declare and the compiler lowers, i.e. indices,
// barriers and warp operations. include/reprise_cuda/device/builtins.h declares them for headers.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace reprise_compiler::device {

// PTX exit: ends the calling thread. threads/lower_thread_exits.cpp turns a call into a return from the kernel.
constexpr const char* exit_builtin = "__reprise_exit";

enum class Builtin {
  none,
  // indices, in the order of the thread arguments (ir/thread_arguments.h)
  grid_x,
  grid_y,
  grid_z,
  block_x,
  block_y,
  block_z,
  block_index_x,
  block_index_y,
  block_index_z,
  thread_index_x,
  thread_index_y,
  thread_index_z,
  lane,
  dynamic_shared_size,
  // which state space an address is in (threads/lower_space_queries.cpp)
  is_global,
  is_shared,
  is_constant,
  is_local,
  is_parameter,
  // synchronization
  region_end,  // inserted by this compiler: a region ends here, but no thread waits (loops/thread_interchange.h)
  barrier,
  named_barrier,
  barrier_arrive,
  barrier_reduce,
  grid_barrier,
  warp_sync,
  shuffle32,
  shuffle64,
  ballot,
  active_mask,
  match_any32,
  match_any64,
  match_all32,
  match_all64,
  reduce32,
  spin,  // inserted by this compiler: one more iteration of a loop that waits (threads/mark_spin_loops.cpp)
  // inserted by this compiler: a loop that waits for a time starts, and one more iteration
  // (threads/mark_timed_waits.cpp)
  wait_start,
  wait,
  // calls of the runtime that take the launch or the thread
  assert_fail,
  trigger_programmatic,
  grid_dependency_sync,
  graph_launch,
  current_graph,
};

Builtin builtin_of(const llvm::Function* function);
Builtin builtin_of(const llvm::Instruction& instruction);

// True for operations that wait for other threads of the block or warp. Kernels are split there.
bool is_synchronization(Builtin builtin);
bool is_block_level(Builtin builtin);  // all threads of the block participate
bool is_barrier(Builtin builtin);      // block-level operations at which threads wait and memory becomes visible
bool is_warp_level(Builtin builtin);   // the lanes of one warp participate
bool is_index(Builtin builtin);
bool is_space_query(Builtin builtin);
// The builtin behind PTX isspacep.SPACE; none for an unknown space. The shared memory of a cluster is that of the
// block.
Builtin space_query(llvm::StringRef space);
// True for operations of threads that cannot run one after the other.
bool needs_fibers(Builtin builtin);

// Emits a call of the builtin, and declares it if the module does not.
llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, Builtin builtin,
                             llvm::ArrayRef<llvm::Value*> arguments = {});

}  // namespace reprise_compiler::device

// Markers: the functions named __reprise_* by which device headers ask for what only the compiler can give: indices,
// barriers, warp operations. The list that headers see is include/reprise_cuda/device/markers.h.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace reprise_compiler::device {

// PTX exit: ends the calling thread. threads/lower_thread_exits.cpp turns a call of it into a return from the kernel.
constexpr const char* exit_marker = "__reprise_exit";

enum class Marker {
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
  // synchronisation
  end_of_turn,  // the compiler's own: regions end, nobody waits (loops/thread_interchange.h)
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
  spin,  // the compiler's own: one more turn of a loop that waits for another thread (threads/mark_spin_loops.cpp)
  // services that need to know the launch or the thread
  assert_fail,
  trigger_programmatic,
  grid_dependency_sync,
  graph_launch,
  current_graph,
};

Marker marker_of(const llvm::Function* function);
Marker marker_of(const llvm::Instruction& instruction);

// Waits for other threads of the block or warp: a place where a kernel is cut.
bool is_synchronisation(Marker marker);
bool is_block_level(Marker marker);  // every thread of the block takes part
bool is_barrier(Marker marker);      // of those, all at which threads wait, and see what others wrote
bool is_warp_level(Marker marker);   // threads of one warp take part
bool is_index(Marker marker);
// Of threads that cannot be run one after the other.
bool needs_fibers(Marker marker);

// A call of the marker, which is declared where the module lacks it.
llvm::CallInst* call_marker(llvm::IRBuilderBase& builder, Marker marker, llvm::ArrayRef<llvm::Value*> arguments = {});

}  // namespace reprise_compiler::device

// Splits kernels at their barriers into regions, each a loop over the threads of the block.
//
//   body:  A                          block:  for each thread: A
//          __syncthreads()      ->
//          B                                  for each thread: B
//
// Works on a copy of the body, in these steps:
//
//   loops/*                     transforms loops of the kernel so that loops over threads vectorise
//   regions/early_exit.h        detaches exits of single threads
//   regions/region_graph.h      finds the regions between barriers
//   regions/scalar_values.h     computes uniform values once
//   regions/region_values.h     spills values that are live across barriers
//   regions/thread_clocks.h     gives each thread of a kernel that waits for a time its own clock
//   regions/exited_threads.h    skips threads that have left
//   regions/region_loops.h      wraps each region in a loop over threads
//
// A region with warp operations goes through the same steps once more, with the lanes of a warp in place of the threads
// of the block. A kernel without barriers is one region. A kernel for which splitting cannot be proven correct is left
// alone; lower_to_fibers takes it.
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "blocks/merged_blocks.h"
#include "blocks/thunk.h"
#include "ir/builtin.h"
#include "ir/clock_reads.h"
#include "ir/llvm_passes.h"
#include "ir/reachable_code.h"
#include "ir/remark.h"
#include "ir/thread_arguments.h"
#include "loops/index_widening.h"
#include "loops/pointer_induction.h"
#include "loops/single_thread_sections.h"
#include "loops/thread_interchange.h"
#include "loops/uniform_trip_count.h"
#include "regions/block_operations.h"
#include "regions/control_flow.h"
#include "regions/exited_threads.h"
#include "regions/passes.h"
#include "regions/polling_loops.h"
#include "regions/region_loops.h"
#include "regions/region_values.h"
#include "regions/thread_clocks.h"
#include "regions/uniform_choices.h"
#include "regions/warp_operations.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

bool synchronizes(const llvm::Instruction& instruction) { return is_synchronization(builtin_of(instruction)); }

// Computes the second result of __match_all_sync from the first.
void simplify_match_all(llvm::Function& body) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(body))) {
    const Builtin builtin = builtin_of(instruction);
    if (builtin != Builtin::match_all32 && builtin != Builtin::match_all64) continue;
    auto& call = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> b(call.getNextNode());
    Value* all = b.CreateICmpNE(&call, b.getInt32(0));
    b.CreateStore(b.CreateZExt(all, b.getInt32Ty()), call.getArgOperand(2));
    call.setArgOperand(2, llvm::ConstantPointerNull::get(b.getPtrTy()));
  }
}

constexpr unsigned max_unrolled = 64;  // longest loop that LLVM may unroll completely

class Splitter {
 public:
  Splitter(DeviceModule& module, Kernel& kernel) : module_(module), kernel_(kernel) {}

  bool run() {
    if (!can_split()) return false;
    // A kernel that cannot be split in the way that runs fastest may be splittable in another.
    if (!split_copy({true, false}) && !split_copy({true, true}) && !split_copy({false, false}))
      return report_fibers(failure_location_, failure_);
    make_thunk(module_, kernel_, merge_blocks_, [&](llvm::IRBuilder<>& b, BodyArguments& arguments) {
      for (ThreadArgument which = ThreadArgument::thread_index_x; which != ThreadArgument::row_length;
           which = which + 1)
        arguments[which] = llvm::PoisonValue::get(thread_argument(*block_, which)->getType());
      b.CreateCall(block_, arguments.all());
    });
    kernel_.needs_whole_warps = has_warps_;
    kernel_.has_regions = synchronizes_;
    return true;
  }

 private:
  struct Preparation {
    bool transform_loops, isolate_choices;
  };

  bool split_copy(Preparation preparation) {
    if (preparation.isolate_choices && !synchronizes_) return false;
    llvm::ValueToValueMapTy map;
    block_ = llvm::CloneFunction(kernel_.body, map);
    block_->setName("block." + kernel_.name);
    block_->addFnAttr(llvm::Attribute::AlwaysInline);
    simplify_match_all(*block_);
    kernel_.bounded_indices = mark_indices(*block_);
    clocks_.emplace(*block_);
    if (functions_read_clock_) clocks_->disable();
    merge_blocks_ = !synchronizes_ && !clocks_->is_needed() && can_merge_blocks(*block_);
    has_narrow_blocks_ = !merge_blocks_ && !thread_argument(*block_, ThreadArgument::thread_index_y)->use_empty();
    run_llvm_passes(module_, *block_, "lower-switch,loop-simplify,lcssa,loop-mssa(licm)");
    if (preparation.transform_loops) {
      rewrite_pointer_induction(*block_);
      for (Level level : {Level::block, Level::warp}) {
        if (level == Level::warp && !has_warps_) continue;
        if (synchronizes_)
          isolate_single_thread_sections(*block_, level);  // first, so that loops in such sections stay as they are
        make_trip_counts_uniform(*block_, level);
        interchange_with_thread_loop(*block_, level);
      }
    }
    if ((!preparation.isolate_choices || isolate_uniform_choices(*block_)) && split()) return true;
    block_->eraseFromParent();
    warp_uniformity_.reset();
    return false;
  }

  bool report_fibers(llvm::DebugLoc where, const std::string& why) {
    remark(module_, kernel_, where, "runs as fibers: " + why);
    return false;
  }

  bool set_failure(const llvm::Instruction* where, const std::string& why) {
    failure_location_ = where ? where->getDebugLoc() : llvm::DebugLoc();
    failure_ = why;
    return false;
  }

  bool can_split() {
    const ReachableCode reachable = reachable_from_kernel(module_, *kernel_.body);
    if (reachable.unknown) return report_fibers({}, "calls of functions in other files");
    for (const llvm::Function* function : reachable.functions)
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (needs_fibers(builtin_of(instruction)))
          return report_fibers(instruction.getDebugLoc(), "a loop that waits for another thread");
        if (function != kernel_.body && reads_clock(instruction)) functions_read_clock_ = true;
        if (!synchronizes(instruction)) continue;
        const auto& call = llvm::cast<llvm::CallInst>(instruction);
        const Builtin builtin = builtin_of(call);
        if (function != kernel_.body)
          return report_fibers(call.getDebugLoc(), "a barrier in a function that is not inlined");
        if (builtin == Builtin::barrier_arrive)
          return report_fibers(call.getDebugLoc(), "a barrier at which some threads arrive without waiting");
        if (builtin == Builtin::named_barrier &&
            !llvm::PatternMatch::match(call.getArgOperand(1), llvm::PatternMatch::m_Zero()))
          return report_fibers(call.getDebugLoc(), "a barrier for a part of the block");
        synchronizes_ = true;
        has_warps_ |= is_warp_level(builtin);
        needs_alive_flags_ |= is_warp_level(builtin) || builtin == Builtin::barrier_reduce;
      }
    return true;
  }

  // If only warp operations follow, it is sufficient that the lanes of a warp leave or stay together.
  bool detach_exits(std::vector<EarlyExit>& exits) {
    const auto to_sync = blocks_leading_to(*block_, is_synchronization);
    const auto to_barrier = blocks_leading_to(*block_, is_block_level);
    const Uniformity of_block(*block_, Level::block), of_warp(*block_, Level::warp);
    return detach_early_exits(
        *block_, [&](const BasicBlock& block) { return to_sync.count(&block) != 0; },
        [&](const BasicBlock& block) {
          const bool barrier_ahead =
              llvm::any_of(llvm::successors(&block), [&](auto* s) { return to_barrier.count(s); });
          return (barrier_ahead ? of_block : of_warp).is_divergent_branch(block);
        },
        exits);
  }

  bool split() {
    end_ = unify_returns(*block_);
    auto* start = BasicBlock::Create(block_->getContext(), "start", block_, &block_->getEntryBlock());
    llvm::BranchInst::Create(start->getNextNode(), start);
    RegionGraph graph;
    if (!detach_exits(graph.early_exits))
      return set_failure(nullptr, "the code that threads run before they leave early is too large");
    graph.threads_may_have_left = !graph.early_exits.empty();
    drop_unreachable(*block_, end_, graph.early_exits);
    const PollingLoops polling(*block_);
    const Uniformity uniformity(*block_, Level::block);
    if (has_warps_) warp_uniformity_.emplace(*block_, Level::warp);
    RegionGraph::Scope scope{start, end_, {}};
    for (BasicBlock& block : *block_)
      if (&block != start && &block != end_) scope.blocks.push_back(&block);
    auto is_barrier = [](const llvm::Instruction& i) { return is_block_level(builtin_of(i)); };
    if (!graph.build(scope, is_barrier, uniformity)) return set_failure(graph.failure_location(), graph.failure());
    graph.attach_early_exits();
    ScalarValues scalars(graph, uniformity);
    ThreadSpillSlots slots(*block_);
    RegionValues values(graph, scalars, slots, warp_uniformity_ ? &*warp_uniformity_ : nullptr);
    BlockOperations operations(graph, scalars, slots, polling);
    operations.capture_operands();
    if (!values.run()) return set_failure(values.failure_location(), values.failure());
    clocks_->start_regions(graph);
    const ExitedThreads exited(graph, values, slots, needs_alive_flags_);
    std::vector<Region*> with_warps, plain;
    for (Region& region : graph.regions()) (has_warp_operations(region) ? with_warps : plain).push_back(&region);
    guard(graph, plain, values, exited, [&](Region& region) { return exited.may_run_after_exit(region); });
    for (Region* region : plain)
      if (does_nothing(*region))
        bypass(graph, *region);
      else
        wrap_in_thread_loop(graph, *region, {has_narrow_blocks_, kernel_.likely_block[0] <= max_unrolled});
    for (Region* region : with_warps)
      if (!split_for_warps(graph, *region, exited, polling)) return false;
    operations.emit(exited);
    clocks_->replace_reads();
    llvm::removeUnreachableBlocks(*block_);
    widen_indices(*block_);
    slots.add_alias_scopes();
    merge_blocks_ = merge_blocks_ && slots.bytes_per_thread() == 0;  // scratch memory has room for one block only
    kernel_.scratch_per_thread = uint32_t(slots.bytes_per_thread());
    return true;
  }

  static bool has_warp_operations(const Region& region) {
    return llvm::any_of(region.blocks, [](BasicBlock* block) {
      return llvm::any_of(*block, [](llvm::Instruction& i) { return is_warp_level(builtin_of(i)); });
    });
  }

  // Called before any region becomes a loop, since guards use the thread arguments of earlier regions.
  static void guard(RegionGraph& graph, llvm::ArrayRef<Region*> regions, RegionValues& values,
                    const ExitedThreads& exited, llvm::function_ref<bool(Region&)> needs_guard) {
    for (Region* region : regions) {
      if (needs_guard(*region) && !does_nothing(*region)) exited.guard(graph, *region, values);
      exited.record_exits(graph, *region);
    }
  }

  // Splits a region at its warp operations: a loop over warps around loops over lanes.
  bool split_for_warps(RegionGraph& outer, Region& region, const ExitedThreads& exited, const PollingLoops& polling) {
    const bool after_exit = exited.may_run_after_exit(region);
    const WarpLoop warp = wrap_in_warp_loop(outer, region);
    RegionGraph graph;
    graph.threads_may_have_left = outer.threads_may_have_left;
    const auto in_region = [&](const EarlyExit& exit) {
      return llvm::is_contained(region.blocks, exit.branch->getParent());
    };
    llvm::copy_if(outer.early_exits, std::back_inserter(graph.early_exits), in_region);
    llvm::erase_if(outer.early_exits, in_region);  // their branches are replaced
    for (EarlyExit& exit : graph.early_exits) detach(exit);
    auto is_operation = [](const llvm::Instruction& i) { return is_warp_level(builtin_of(i)); };
    if (!graph.build(warp.scope, is_operation, *warp_uniformity_))
      return set_failure(graph.failure_location(), graph.failure());
    graph.attach_early_exits();
    ScalarValues scalars(graph, *warp_uniformity_);
    LaneSpillSlots slots(*block_);
    RegionValues values(graph, scalars, slots, nullptr);
    WarpOperations operations(graph, scalars, slots, values, exited, polling);
    operations.capture_operands();
    if (!values.run()) return set_failure(values.failure_location(), values.failure());
    clocks_->start_parts(graph);
    const std::set<Region*> regions_after_exit = ExitedThreads::regions_after_exit(graph);
    std::vector<Region*> parts;
    for (Region& part : graph.regions()) parts.push_back(&part);
    guard(graph, parts, values, exited, [&](Region& part) { return after_exit || regions_after_exit.count(&part); });
    for (Region* part : parts)
      if (does_nothing(*part))
        bypass(graph, *part);
      else
        wrap_in_lane_loop(graph, *part, warp);
    set_node_indices(graph, warp);
    operations.emit(warp);
    return true;
  }

  DeviceModule& module_;
  Kernel& kernel_;
  llvm::Function* block_ = nullptr;
  BasicBlock* end_ = nullptr;
  bool synchronizes_ = false, has_warps_ = false, needs_alive_flags_ = false;
  bool merge_blocks_ = false, has_narrow_blocks_ = false;
  bool functions_read_clock_ = false;  // functions that were not inlined
  std::optional<ThreadClocks> clocks_;
  llvm::DebugLoc failure_location_;
  std::string failure_;
  std::optional<Uniformity> warp_uniformity_;
};

}  // namespace

void split_at_barriers(DeviceModule& module) {
  if (module.options.optimisation == 0 || module.options.force_fibers) return;
  for (Kernel& kernel : module.kernels)
    if (!kernel.thunk) Splitter(module, kernel).run();
}

}  // namespace reprise_compiler::device

// Splits kernels at their barriers into regions, each a loop over the threads of the block.
//
//   body:  A; __syncthreads(); B      ->      block:  for each thread: A;  for each thread: B
//
// Works on a copy of the body, with the tools of regions/region_graph.h, regions/scalar_values.h,
// regions/region_values.h, regions/exited_threads.h and regions/region_loops.h. A kernel without barriers is one
// region. A kernel for which splitting cannot be shown to be right is left alone, and runs as fibers.
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
#include "regions/exited_threads.h"
#include "regions/passes.h"
#include "regions/polling_loops.h"
#include "regions/region_loops.h"
#include "regions/region_values.h"
#include "regions/warp_operations.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

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

std::set<const BasicBlock*> blocks_leading_to(llvm::Function& body, bool (*is)(Marker)) {
  std::set<const BasicBlock*> leading;
  std::vector<BasicBlock*> pending;
  for (llvm::Instruction& instruction : llvm::instructions(body))
    if (is(marker_of(instruction))) pending.push_back(instruction.getParent());
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (!leading.insert(block).second) continue;
    for (BasicBlock* before : llvm::predecessors(block)) pending.push_back(before);
  }
  return leading;
}

// What only threads that leave could reach; their own copies are out of reach for the time being, and stay. So does the
// end, which nobody reaches where all threads leave from inside a loop: the skeleton knows it by its address.
void drop_unreachable(llvm::Function& body, BasicBlock* end, const std::vector<EarlyExit>& exits) {
  std::set<BasicBlock*> keep{end};
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

// __match_all_sync without its second result in memory, which the first one tells as well.
void simplify_match_all(llvm::Function& body) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(body))) {
    const Marker marker = marker_of(instruction);
    if (marker != Marker::match_all32 && marker != Marker::match_all64) continue;
    auto& call = llvm::cast<llvm::CallInst>(instruction);
    llvm::IRBuilder<> b(call.getNextNode());
    Value* all = b.CreateICmpNE(&call, b.getInt32(0));
    b.CreateStore(b.CreateZExt(all, b.getInt32Ty()), call.getArgOperand(2));
    call.setArgOperand(2, llvm::ConstantPointerNull::get(b.getPtrTy()));
  }
}

constexpr unsigned most_unrolled = 64;  // steps of a loop that LLVM may unroll as a whole

class Splitter {
 public:
  Splitter(DeviceModule& module, Kernel& kernel) : module_(module), kernel_(kernel) {}

  bool run() {
    if (!is_suitable()) return false;
    // The turned loops are an offer: where they cannot be split, the kernel as it was may still be.
    if (!split_copy(true) && !split_copy(false)) return refuse(where_, why_);
    make_thunk(module_, kernel_, merged_, [&](llvm::IRBuilder<>& b, BodyArguments& arguments) {
      for (ThreadArgument which = ThreadArgument::thread_index_x; which != ThreadArgument::row_length;
           which = which + 1)
        arguments[which] = llvm::PoisonValue::get(thread_argument(*block_, which)->getType());
      b.CreateCall(block_, arguments.all());
    });
    kernel_.needs_whole_warps = has_warps_;
    kernel_.has_regions = synchronises_;
    return true;
  }

 private:
  bool split_copy(bool turn_loops) {
    llvm::ValueToValueMapTy map;
    block_ = llvm::CloneFunction(kernel_.body, map);
    block_->setName("block." + kernel_.name);
    block_->addFnAttr(llvm::Attribute::AlwaysInline);
    simplify_match_all(*block_);
    kernel_.bounded_indices = mark_indices(*block_);
    merged_ = !synchronises_ && can_merge_blocks(*block_);
    has_narrow_blocks_ = !merged_ && !thread_argument(*block_, ThreadArgument::thread_index_y)->use_empty();
    run_llvm_passes(module_, *block_, "lower-switch,loop-simplify,lcssa,loop-mssa(licm)");
    if (turn_loops) {
      count_in_pointer_loops(*block_);
      for (Level level : {Level::block, Level::warp}) {
        if (level == Level::warp && !has_warps_) continue;
        if (synchronises_) set_lone_threads_apart(*block_, level);  // first: their loops are nobody else's
        even_out_loops(*block_, level);
        put_threads_innermost(*block_, level);
      }
    }
    if (split()) return true;
    block_->eraseFromParent();
    of_warp_.reset();
    return false;
  }

  bool refuse(llvm::DebugLoc where, const std::string& why) {
    remark(module_, kernel_, where, "runs as fibers: " + why);
    return false;
  }

  bool stop(const llvm::Instruction* where, const std::string& why) {
    where_ = where ? where->getDebugLoc() : llvm::DebugLoc();
    why_ = why;
    return false;
  }

  bool is_suitable() {
    const Reach reach = reach_of(module_, *kernel_.body);
    if (reach.unknown) return refuse({}, "it calls functions of other files");
    for (const llvm::Function* function : reach.functions)
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (needs_fibers(marker_of(instruction)))
          return refuse(instruction.getDebugLoc(), "a loop that waits for another thread");
        if (!synchronises(instruction)) continue;
        const auto& call = llvm::cast<llvm::CallInst>(instruction);
        const Marker marker = marker_of(call);
        if (function != kernel_.body) return refuse(call.getDebugLoc(), "a barrier in a function that is not inlined");
        if (marker == Marker::barrier_arrive)
          return refuse(call.getDebugLoc(), "a barrier that some threads do not wait at");
        if (marker == Marker::named_barrier &&
            !llvm::PatternMatch::match(call.getArgOperand(1), llvm::PatternMatch::m_Zero()))
          return refuse(call.getDebugLoc(), "a barrier of part of the block");
        synchronises_ = true;
        has_warps_ |= is_warp_level(marker);
        asks_who_is_alive_ |= is_warp_level(marker) || marker == Marker::barrier_reduce;
      }
    return true;
  }

  // Where only warp operations lie ahead, it is enough that a warp's lanes leave or stay together.
  bool set_exits_aside(std::vector<EarlyExit>& exits) {
    const auto to_sync = blocks_leading_to(*block_, is_synchronisation);
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
    Skeleton skeleton;
    if (!set_exits_aside(skeleton.early_exits)) return stop(nullptr, "too much code after which threads leave");
    skeleton.threads_may_have_left = !skeleton.early_exits.empty();
    drop_unreachable(*block_, end_, skeleton.early_exits);
    const WaitingLoops waiting(*block_);
    const Uniformity uniformity(*block_, Level::block);
    if (has_warps_) of_warp_.emplace(*block_, Level::warp);
    Skeleton::Scope scope{start, end_, {}};
    for (BasicBlock& block : *block_)
      if (&block != start && &block != end_) scope.blocks.push_back(&block);
    auto is_barrier = [](const llvm::Instruction& i) { return is_block_level(marker_of(i)); };
    if (!skeleton.build(scope, is_barrier, uniformity)) return stop(skeleton.where(), skeleton.why());
    skeleton.attach_early_exits();
    ScalarValues scalars(skeleton, uniformity);
    ThreadSlots slots(*block_);
    RegionValues values(skeleton, scalars, slots, of_warp_ ? &*of_warp_ : nullptr);
    BlockOperations operations(skeleton, scalars, slots, waiting);
    operations.capture_operands();
    if (!values.run()) return stop(values.where(), values.why());
    const ExitedThreads exited(skeleton, values, slots, asks_who_is_alive_);
    std::vector<Region*> with_warps, plain;
    for (Region& region : skeleton.regions()) (has_warp_operations(region) ? with_warps : plain).push_back(&region);
    guard(skeleton, plain, values, exited, [&](Region& region) { return exited.may_run_after_exit(region); });
    for (Region* region : plain)
      if (does_nothing(*region))
        bypass(skeleton, *region);
      else
        wrap_in_thread_loop(skeleton, *region, {has_narrow_blocks_, kernel_.likely_block[0] <= most_unrolled});
    for (Region* region : with_warps)
      if (!split_for_warps(skeleton, *region, exited, waiting)) return false;
    operations.emit(exited);
    llvm::removeUnreachableBlocks(*block_);
    widen_indices(*block_);
    slots.keep_apart();
    merged_ = merged_ && slots.bytes_per_thread() == 0;  // scratch memory is for one block's threads
    kernel_.scratch_per_thread = uint32_t(slots.bytes_per_thread());
    return true;
  }

  static bool has_warp_operations(const Region& region) {
    return llvm::any_of(region.blocks, [](BasicBlock* block) {
      return llvm::any_of(*block, [](llvm::Instruction& i) { return is_warp_level(marker_of(i)); });
    });
  }

  // Before any region becomes a loop: guards look at what the thread's arguments are in the region before.
  static void guard(Skeleton& skeleton, llvm::ArrayRef<Region*> regions, RegionValues& values,
                    const ExitedThreads& exited, llvm::function_ref<bool(Region&)> needs_guard) {
    for (Region* region : regions) {
      if (needs_guard(*region) && !does_nothing(*region)) exited.guard(skeleton, *region, values);
      exited.let_leave(skeleton, *region);
    }
  }

  // The same once more, inside a region: warps in turn, and between their operations the lanes.
  bool split_for_warps(Skeleton& outer, Region& region, const ExitedThreads& exited, const WaitingLoops& waiting) {
    const bool after_exit = exited.may_run_after_exit(region);
    const WarpLoop warp = wrap_in_warp_loop(outer, region);
    Skeleton skeleton;
    skeleton.threads_may_have_left = outer.threads_may_have_left;
    const auto own = std::stable_partition(
        outer.early_exits.begin(), outer.early_exits.end(),
        [&](const EarlyExit& exit) { return !llvm::is_contained(region.blocks, exit.branch->getParent()); });
    skeleton.early_exits.assign(own, outer.early_exits.end());
    outer.early_exits.erase(own, outer.early_exits.end());  // their branches are replaced
    for (EarlyExit& exit : skeleton.early_exits) detach(exit);
    auto is_operation = [](const llvm::Instruction& i) { return is_warp_level(marker_of(i)); };
    if (!skeleton.build(warp.scope, is_operation, *of_warp_)) return stop(skeleton.where(), skeleton.why());
    skeleton.attach_early_exits();
    ScalarValues scalars(skeleton, *of_warp_);
    LaneSlots slots(*block_);
    RegionValues values(skeleton, scalars, slots, nullptr);
    WarpOperations operations(skeleton, scalars, slots, values, exited, waiting);
    operations.capture_operands();
    if (!values.run()) return stop(values.where(), values.why());
    const std::set<Region*> followers = ExitedThreads::followers(skeleton);
    std::vector<Region*> parts;
    for (Region& part : skeleton.regions()) parts.push_back(&part);
    guard(skeleton, parts, values, exited, [&](Region& part) { return after_exit || followers.count(&part); });
    for (Region* part : parts)
      if (does_nothing(*part))
        bypass(skeleton, *part);
      else
        wrap_in_lane_loop(skeleton, *part, warp);
    give_nodes_first_thread(skeleton, warp);
    operations.emit(warp);
    return true;
  }

  DeviceModule& module_;
  Kernel& kernel_;
  llvm::Function* block_ = nullptr;
  BasicBlock* end_ = nullptr;
  bool synchronises_ = false, has_warps_ = false, asks_who_is_alive_ = false;
  bool merged_ = false, has_narrow_blocks_ = false;
  llvm::DebugLoc where_;
  std::string why_;
  std::optional<Uniformity> of_warp_;
};

}  // namespace

void split_at_barriers(DeviceModule& module) {
  if (module.options.optimisation == 0 || module.options.force_fibers) return;
  for (Kernel& kernel : module.kernels)
    if (!kernel.thunk) Splitter(module, kernel).run();
}

}  // namespace reprise_compiler::device

// The region graph of a kernel: nodes, which run once for all threads, and between them regions, which every thread
// runs.
//
//      entry                       start                    nodes run once:    start, syncs, branches that control
//        |                         | region A                                  syncs, and joins of such paths
//        A                         sync
//   __syncthreads()       ->       join <--------+          regions run for
//   +--> while (k < n)             branch k<n    |          every thread:      A, B, C
//   |      B                       | region B    |
//   |      __syncthreads()         sync ---------+
//   +------+                       | region C
//        C                         exit
//
// A region has one entry and, apart from exits of threads, one successor node.
#pragma once

#include <llvm/IR/Function.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "regions/early_exit.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {

struct Region {
  llvm::BasicBlock* prologue;             // a node: runs once, right before the threads
  llvm::BasicBlock* entry;                // first block that every thread runs; the prologue is its only predecessor
  llvm::BasicBlock* next = nullptr;       // the node that follows
  std::vector<llvm::BasicBlock*> blocks;  // entry included
  std::vector<llvm::BasicBlock*> exits;   // blocks that end in ret
};

class RegionGraph {
 public:
  // Splits the blocks of `scope` at the calls for which `is_sync` is true. The scope is entered from `start` and left
  // to `end`, which are nodes themselves. The caller has detached `early_exits`. On failure failure() has the reason,
  // and the function is left in an invalid state.
  using SyncPredicate = llvm::function_ref<bool(const llvm::Instruction&)>;
  struct Scope {
    llvm::BasicBlock *start, *end;
    std::vector<llvm::BasicBlock*> blocks;
  };
  bool build(Scope scope, SyncPredicate is_sync, const Uniformity& uniformity);
  // Puts the detached exits back into their regions.
  void attach_early_exits();

  const std::string& failure() const { return failure_; }
  const llvm::Instruction* failure_location() const { return failure_location_; }

  bool is_node(const llvm::BasicBlock* block) const { return nodes_.count(const_cast<llvm::BasicBlock*>(block)); }
  // Region of a block; null for nodes.
  Region* region_of(const llvm::BasicBlock* block);
  void add_block(Region& region, llvm::BasicBlock* block);
  std::vector<Region>& regions() { return regions_; }
  std::vector<llvm::BasicBlock*> nodes() const;  // in function order, so that the output is deterministic
  const std::vector<llvm::BasicBlock*>& syncs() const { return syncs_; }
  llvm::BasicBlock* start() const { return start_; }
  std::vector<EarlyExit> early_exits;
  bool threads_may_have_left = false;  // in this scope or before it

 private:
  bool fail(const llvm::Instruction* where, std::string why);
  void isolate_syncs(SyncPredicate is_sync);
  bool isolate_branches(const Uniformity& uniformity);
  void isolate_joins();
  bool make_regions();
  bool collect_blocks(Region& region);

  llvm::Function* body_ = nullptr;
  llvm::BasicBlock *start_ = nullptr, *end_ = nullptr;
  std::set<llvm::BasicBlock*> scope_;
  std::set<llvm::BasicBlock*> nodes_;
  std::vector<llvm::BasicBlock*> syncs_;
  std::vector<Region> regions_;
  std::map<const llvm::BasicBlock*, std::size_t> region_of_;
  std::string failure_;
  const llvm::Instruction* failure_location_ = nullptr;
};

}  // namespace reprise_compiler::device

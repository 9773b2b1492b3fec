#include "regions/region_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "ir/thread_arguments.h"
#include "regions/spill_slots.h"
#include "regions/thread_range.h"
#include "threads/declare_debug_indices.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// One loop of the nest: counts to a 64-bit limit.
struct Counter {
  BasicBlock *header, *latch;
  llvm::PHINode* index;
  llvm::BranchInst* branch = nullptr;

  Counter(llvm::Function& function, BasicBlock* before, llvm::StringRef name) {
    llvm::LLVMContext& context = function.getContext();
    header = BasicBlock::Create(context, name + ".loop", &function, before);
    latch = BasicBlock::Create(context, name + ".next", &function, before);
    index = llvm::IRBuilder<>(header).CreatePHI(llvm::Type::getInt64Ty(context), 2, name);
  }

  void close(BasicBlock* from, Value* limit, BasicBlock* after, uint64_t step = 1, Value* first = nullptr) {
    llvm::IRBuilder<> b(latch);
    Value* next = b.CreateAdd(index, b.getInt64(step), index->getName() + ".up", true, true);
    index->addIncoming(first ? first : b.getInt64(0), from);
    index->addIncoming(next, latch);
    branch = b.CreateCondBr(b.CreateICmpULT(next, limit), header, after);
  }
};

// Redirects the edges from the region to the next node to `latch`; `last` becomes the predecessor of the node.
void redirect(RegionGraph& graph, Region& region, BasicBlock* latch, BasicBlock* last) {
  for (llvm::PHINode& phi : region.next->phis()) {
    Value* brought = nullptr;
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
      if (graph.region_of(phi.getIncomingBlock(i)) == &region) {
        brought = phi.getIncomingValue(i);
        phi.removeIncomingValue(i, false);
      }
    phi.addIncoming(brought, last);
  }
  for (BasicBlock* block : region.blocks) {
    llvm::Instruction* terminator = block->getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (terminator->getSuccessor(i) == region.next) terminator->setSuccessor(i, latch);
  }
}

struct ThreadIndices {
  Value *x, *y, *z, *number, *lane;  // 64 bits
  bool is_thread = false;            // of one thread, not of the first of several
};

// Replaces the thread arguments in these blocks.
template <class Blocks>
void replace_indices(llvm::IRBuilder<>& b, const Blocks& blocks, const ThreadIndices& indices) {
  llvm::Function& body = *b.GetInsertBlock()->getParent();
  auto replace = [&](ThreadArgument which, Value* value) {
    thread_argument(body, which)->replaceUsesWithIf(value, [&](llvm::Use& use) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && llvm::is_contained(blocks, user->getParent());
    });
  };
  auto narrow = [&](Value* value) { return b.CreateTrunc(value, b.getInt32Ty(), "", true, true); };
  Value *x = narrow(indices.x), *y = narrow(indices.y), *z = narrow(indices.z);
  replace(ThreadArgument::thread_index_x, x);
  replace(ThreadArgument::thread_index_y, y);
  replace(ThreadArgument::thread_index_z, z);
  if (indices.is_thread) describe_thread_index(b, {x, y, z});
  replace(ThreadArgument::thread_number, indices.number);
  replace(ThreadArgument::lane, indices.lane);
}

// Adds memory accesses that are independent between threads to an access group.
llvm::MDNode* group_accesses(llvm::ArrayRef<BasicBlock*> blocks) {
  auto* group = llvm::MDNode::getDistinct(blocks.front()->getContext(), {});
  for (BasicBlock* block : blocks)
    for (llvm::Instruction& instruction : *block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isVolatile() || instruction.isAtomic()) continue;
      const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
      if (memory && !is_lane_spill_array(*memory)) continue;  // one copy shared by all threads
      instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    }
  return group;
}

llvm::MDNode* attribute(llvm::LLVMContext& context, const char* name, llvm::ArrayRef<llvm::Metadata*> values = {}) {
  std::vector<llvm::Metadata*> operands{llvm::MDString::get(context, name)};
  operands.insert(operands.end(), values.begin(), values.end());
  return llvm::MDNode::get(context, operands);
}

llvm::MDNode* attribute(llvm::LLVMContext& context, const char* name, uint32_t value) {
  auto* constant = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  return attribute(context, name, {llvm::ConstantAsMetadata::get(constant)});
}

void annotate_loop(llvm::BranchInst* latch, std::vector<llvm::Metadata*> attributes) {
  attributes.insert(attributes.begin(), nullptr);
  attributes.push_back(attribute(latch->getContext(), "llvm.loop.mustprogress"));
  auto* loop = llvm::MDNode::getDistinct(latch->getContext(), attributes);
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// A short row is one or two vectors; interleaving would leave all of it to the remainder loop. A short loop of known
// length would be unrolled before it is vectorised, so unrolling is allowed only after vectorisation.
void annotate_thread_loop(llvm::BranchInst* latch, llvm::MDNode* group, const RowLength& length) {
  llvm::LLVMContext& context = latch->getContext();
  llvm::MDNode* accesses = attribute(context, "llvm.loop.parallel_accesses", {group});
  std::vector<llvm::Metadata*> attributes{accesses};
  if (length.may_be_short) attributes.push_back(attribute(context, "llvm.loop.interleave.count", 1));
  if (length.may_be_known) {
    attributes.push_back(attribute(context, "llvm.loop.unroll.disable"));
    attributes.push_back(attribute(context, "llvm.loop.vectorize.followup_vectorized", {accesses}));
  }
  annotate_loop(latch, attributes);
}

// Few iterations, often one: not worth unrolling.
void annotate_row_loop(llvm::BranchInst* latch) {
  annotate_loop(latch, {attribute(latch->getContext(), "llvm.loop.unroll.disable")});
}

// The loops over z and y around the loop over x.
struct Rows {
  Counter z, y;
  Value *size_x, *row;  // row: thread number of the row's first thread

  Rows(llvm::Function& body, Region& region) : z(body, region.entry, "tid.z"), y(body, region.entry, "tid.y") {
    llvm::IRBuilder<> b(region.prologue->getTerminator());
    auto limit = [&](ThreadArgument which) { return b.CreateZExt(thread_argument(body, which), b.getInt64Ty()); };
    size_x = thread_argument(body, ThreadArgument::row_length);
    size_y_ = limit(ThreadArgument::block_y);
    size_z_ = limit(ThreadArgument::block_z);
    b.SetInsertPoint(z.header);
    Value* plane = b.CreateMul(z.index, size_y_, "", true, true);
    b.CreateBr(y.header);
    b.SetInsertPoint(y.header);
    row = b.CreateMul(b.CreateAdd(plane, y.index, "", true, true), size_x, "row", true, true);
  }

  // The caller adds the branch from y.header to the loop over x.
  void close(Region& region) {
    region.prologue->getTerminator()->setSuccessor(0, z.header);
    z.close(region.prologue, size_z_, region.next);
    y.close(z.header, size_y_, z.latch);
    annotate_row_loop(z.branch);
    annotate_row_loop(y.branch);
  }

 private:
  Value *size_y_, *size_z_;
};

}  // namespace

bool does_nothing(const Region& region) {
  return llvm::none_of(region.blocks, [](BasicBlock* block) {
    return llvm::any_of(*block, [](llvm::Instruction& i) { return i.mayHaveSideEffects(); });
  });
}

void bypass(RegionGraph& graph, Region& region) {
  redirect(graph, region, region.entry, region.prologue);  // the region's blocks become unreachable
  region.prologue->getTerminator()->setSuccessor(0, region.next);
}

void wrap_in_thread_loop(RegionGraph& graph, Region& region, RowLength length) {
  llvm::Function& body = *region.entry->getParent();
  Rows rows(body, region);
  Counter x(body, region.entry, "tid.x");
  llvm::IRBuilder<> in_row(rows.y.header);
  const ThreadRange range =
      narrow_to_active_threads(region, in_row, {in_row.getInt64(0), rows.row, nullptr, rows.size_x});
  redirect(graph, region, x.latch, rows.z.latch);
  in_row.CreateCondBr(in_row.CreateICmpSLT(range.first, range.end), x.header, rows.y.latch);
  llvm::IRBuilder<> b(x.header);
  Value* number = b.CreateAdd(rows.row, x.index, "thread", true, true);
  Value* lane = b.CreateAnd(number, b.getInt64(warp_size - 1));
  replace_indices(b, region.blocks, {x.index, rows.y.index, rows.z.index, number, lane, true});
  b.CreateBr(region.entry);
  in_row.SetInsertPoint(rows.y.header, rows.y.header->getFirstInsertionPt());
  replace_indices(in_row, std::vector{rows.y.header},
                  {in_row.getInt64(0), rows.y.index, rows.z.index, rows.row, in_row.getInt64(0)});
  rows.close(region);
  x.close(rows.y.header, range.end, rows.y.latch, 1, range.first);
  length.may_be_short |= range.is_local;
  annotate_thread_loop(x.branch, group_accesses(region.blocks), length);
}

WarpLoop wrap_in_warp_loop(RegionGraph& graph, Region& region) {
  llvm::Function& body = *region.entry->getParent();
  Rows rows(body, region);
  Counter warp(body, region.entry, "warp");
  redirect(graph, region, warp.latch, rows.z.latch);
  llvm::BranchInst::Create(warp.header, rows.y.header);
  llvm::IRBuilder<> b(warp.header);
  Value* number = b.CreateAdd(rows.row, warp.index, "first", true, true);
  b.CreateBr(region.entry);
  rows.close(region);
  warp.close(rows.y.header, rows.size_x, rows.y.latch, warp_size);
  annotate_loop(warp.branch, {});
  return {{warp.header, warp.latch, region.blocks}, warp.index, rows.y.index, rows.z.index, number};
}

void wrap_in_lane_loop(RegionGraph& graph, Region& region, const WarpLoop& warp) {
  llvm::Function& body = *region.entry->getParent();
  Counter lane(body, region.entry, "lane");
  auto* done = BasicBlock::Create(body.getContext(), "lane.done", &body, region.entry);
  llvm::BranchInst::Create(region.next, done);
  llvm::IRBuilder<> b(region.prologue->getTerminator());
  const ThreadRange range =
      narrow_to_active_threads(region, b, {warp.x, warp.number, b.getInt64(0), b.getInt64(warp_size)});
  redirect(graph, region, lane.latch, done);
  llvm::ReplaceInstWithInst(region.prologue->getTerminator(),
                            llvm::BranchInst::Create(lane.header, done, b.CreateICmpSLT(range.first, range.end)));
  b.SetInsertPoint(lane.header);
  Value* x = b.CreateAdd(warp.x, lane.index, "", true, true);
  Value* number = b.CreateAdd(warp.number, lane.index, "thread", true, true);
  replace_indices(b, region.blocks, {x, warp.y, warp.z, number, lane.index, true});
  b.CreateBr(region.entry);
  lane.close(region.prologue, range.end, done, 1, range.first);
  annotate_thread_loop(lane.branch, group_accesses(region.blocks), {.may_be_short = false, .may_be_known = true});
}

void set_node_indices(const RegionGraph& graph, const WarpLoop& warp) {
  llvm::IRBuilder<> b(warp.scope.start->getTerminator());
  replace_indices(b, graph.nodes(), {warp.x, warp.y, warp.z, warp.number, b.getInt64(0)});
}

}  // namespace reprise_compiler::device

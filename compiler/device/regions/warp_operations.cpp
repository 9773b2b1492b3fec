#include "regions/warp_operations.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "ir/builtin.h"
#include "ir/warp_builtins.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

llvm::FixedVectorType* warp_of(llvm::Type* type) { return llvm::FixedVectorType::get(type, warp_size); }

Value* bits(llvm::IRBuilder<>& b, Value* predicates) { return b.CreateBitCast(predicates, b.getInt32Ty()); }

Value* nonzero_lanes(llvm::IRBuilder<>& b, Value* vector) {
  return bits(b, b.CreateICmpNE(vector, llvm::Constant::getNullValue(vector->getType())));
}

Value* element(llvm::IRBuilder<>& b, const SpillSlot& slot, Value* lane) {
  Value* wide = b.CreateZExtOrTrunc(lane, b.getInt64Ty());
  return b.CreateLoad(slot.type, b.CreateInBoundsGEP(slot.type, slot.array, wide));
}

// Source lane of each lane of a shuffle with constant operands.
std::vector<int> constant_sources(const std::vector<const llvm::ConstantInt*>& mode_delta_width) {
  llvm::LLVMContext& context = mode_delta_width.front()->getContext();
  llvm::IRBuilder<> folder(context);
  std::vector<int> sources;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    auto word = [&](unsigned i) { return folder.getInt32(uint32_t(mode_delta_width[i]->getZExtValue())); };
    const SourceLane source = source_lane(folder, word(0), folder.getInt32(lane), word(1), word(2));
    sources.push_back(int(llvm::cast<llvm::ConstantInt>(source.lane)->getZExtValue()));
  }
  return sources;
}

}  // namespace

WarpOperations::Operand WarpOperations::capture(Value* value, llvm::BasicBlock* region_end) {
  llvm::IRBuilder<> b(region_end->getTerminator());
  if (scalars_.can_be_scalar(value)) {
    value = scalars_.make_scalar(value);
    if (llvm::isa<llvm::Argument>(value)) {  // a use in a node, which set_node_indices() replaces
      b.SetInsertPoint(graph_.region_of(region_end)->prologue->getTerminator());
      value = b.CreateFreeze(value);
    }
    return {llvm::WeakTrackingVH(value), {}};
  }
  Operand operand{llvm::WeakTrackingVH(), slots_.allocate(value->getType())};
  slots_.store(b, operand.slot, value);
  return operand;
}

void WarpOperations::capture_operands() {
  for (llvm::BasicBlock* node : graph_.syncs()) {
    auto* call = llvm::cast<llvm::CallInst>(&node->front());
    llvm::BasicBlock* region_end = node->getSinglePredecessor();
    Operation operation{call, {}, {}};
    const Builtin builtin = builtin_of(*call);
    for (llvm::Use& argument : call->args()) {
      Value* value = argument;
      if (builtin == Builtin::ballot && argument.getOperandNo() == 1 && !scalars_.can_be_scalar(value)) {
        llvm::IRBuilder<> b(region_end->getTerminator());
        value = b.CreateICmpNE(value, b.getInt32(0));  // one byte per lane instead of a word
      }
      if (builtin != Builtin::warp_sync) operation.operands.push_back(capture(value, region_end));
      argument.set(llvm::PoisonValue::get(argument->getType()));
    }
    if (!call->getType()->isVoidTy() && !scalars_.can_be_scalar(call)) {
      operation.result = slots_.allocate(call->getType());
      values_.set_result_slot(*call, operation.result);
    }
    operations_.push_back(std::move(operation));
  }
}

Value* WarpOperations::all_lanes(llvm::IRBuilder<>& b, const Operand& operand) const {
  if (operand.scalar) return b.CreateVectorSplat(warp_size, operand.scalar);
  return b.CreateAlignedLoad(warp_of(operand.slot.type), operand.slot.array, llvm::Align(64));
}

Value* WarpOperations::of_lane(llvm::IRBuilder<>& b, const Operand& operand, Value* lane) const {
  return operand.scalar ? static_cast<Value*>(operand.scalar) : element(b, operand.slot, lane);
}

Value* WarpOperations::live_lanes(llvm::IRBuilder<>& b, const WarpLoop& warp) const {
  if (!exited_.any()) return b.getInt32(~0u);
  Value* flags = b.CreateInBoundsGEP(b.getInt8Ty(), exited_.alive().array, warp.number);
  return nonzero_lanes(b, b.CreateAlignedLoad(warp_of(b.getInt8Ty()), flags, llvm::Align(1)));
}

void WarpOperations::for_each_lane(Operation& operation,
                                   llvm::function_ref<Value*(llvm::IRBuilder<>&, Value* lane)> result_of) {
  llvm::IRBuilder<> b(operation.call);
  auto [place, lane] = llvm::SplitBlockAndInsertSimpleForLoop(b.getInt64(warp_size), operation.call);
  b.SetInsertPoint(place);
  Value* result = result_of(b, lane);
  b.CreateStore(result, b.CreateInBoundsGEP(operation.result.type, operation.result.array, lane));
}

// A lane whose thread has exited gives 0, as on a GPU.
void WarpOperations::emit_shuffle(Operation& operation, Value* live) {
  llvm::IRBuilder<> b(operation.call);
  auto value_of = [&](llvm::IRBuilder<>& in, Value* lane) {
    Value* found = of_lane(in, operation.operands[2], lane);
    if (!exited_.any()) return found;
    Value* alive = in.CreateTrunc(in.CreateLShr(live, in.CreateZExtOrTrunc(lane, in.getInt32Ty())), in.getInt1Ty());
    return in.CreateSelect(alive, found, llvm::Constant::getNullValue(found->getType()));
  };
  const Operand &mode = operation.operands[0], &value = operation.operands[2], &delta = operation.operands[3],
                &width = operation.operands[4];
  if (!operation.result.type) {  // broadcast of one lane
    Value* lane = b.CreateAnd(delta.scalar, b.getInt32(warp_size - 1));
    operation.call->replaceAllUsesWith(value_of(b, lane));
    return;
  }
  std::vector<const llvm::ConstantInt*> constants;
  for (const Operand* operand : {&mode, &delta, &width})
    if (auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(static_cast<Value*>(operand->scalar)))
      constants.push_back(constant);
  if (constants.size() == 3) {
    Value* values = all_lanes(b, value);
    if (exited_.any()) {
      auto* predicates = llvm::FixedVectorType::get(b.getInt1Ty(), warp_size);
      values =
          b.CreateSelect(b.CreateBitCast(live, predicates), values, llvm::Constant::getNullValue(values->getType()));
    }
    Value* moved = b.CreateShuffleVector(values, constant_sources(constants));
    b.CreateAlignedStore(moved, operation.result.array, llvm::Align(64));
    return;
  }
  for_each_lane(operation, [&](llvm::IRBuilder<>& in, Value* lane) {
    Value* narrow = in.CreateTrunc(lane, in.getInt32Ty());
    const SourceLane source =
        source_lane(in, of_lane(in, mode, lane), narrow, of_lane(in, delta, lane), of_lane(in, width, lane));
    return value_of(in, source.lane);
  });
}

void WarpOperations::emit_ballot(Operation& operation, Value* live) {
  llvm::IRBuilder<> b(operation.call);
  const Operand &mask = operation.operands[0], &predicate = operation.operands[1];
  Value* set = b.CreateAnd(nonzero_lanes(b, all_lanes(b, predicate)), live);
  if (!operation.result.type)
    operation.call->replaceAllUsesWith(b.CreateAnd(set, mask.scalar));
  else
    b.CreateAlignedStore(b.CreateAnd(all_lanes(b, mask), b.CreateVectorSplat(warp_size, set)), operation.result.array,
                         llvm::Align(64));
}

void WarpOperations::emit_match(Operation& operation, Value* live, bool all) {
  for_each_lane(operation, [&](llvm::IRBuilder<>& b, Value* lane) {
    Value* own = b.CreateVectorSplat(warp_size, of_lane(b, operation.operands[1], lane));
    Value* equal = bits(b, b.CreateICmpEQ(all_lanes(b, operation.operands[1]), own));
    Value* mask = b.CreateAnd(of_lane(b, operation.operands[0], lane), live);
    equal = b.CreateAnd(equal, mask);
    return all ? b.CreateSelect(b.CreateICmpEQ(equal, mask), mask, b.getInt32(0)) : equal;
  });
}

void WarpOperations::emit_reduce(Operation& operation, Value* live) {
  const Operand &code = operation.operands[0], &mask = operation.operands[1], &value = operation.operands[2];
  auto reduce = [&](llvm::IRBuilder<>& b, Value* own_mask, Value* own_code) {
    return reduce_lanes(b, own_code, all_lanes(b, value), b.CreateAnd(own_mask, live));
  };
  llvm::IRBuilder<> b(operation.call);
  if (!operation.result.type)
    operation.call->replaceAllUsesWith(reduce(b, mask.scalar, code.scalar));
  else
    for_each_lane(operation, [&](llvm::IRBuilder<>& in, Value* lane) {
      return reduce(in, of_lane(in, mask, lane), of_lane(in, code, lane));
    });
}

void WarpOperations::emit(const WarpLoop& warp) {
  for (Operation& operation : operations_) {
    polling_.yield_before(*operation.call);
    llvm::IRBuilder<> b(operation.call);
    switch (builtin_of(*operation.call)) {
      case Builtin::shuffle32:
      case Builtin::shuffle64:
        emit_shuffle(operation, live_lanes(b, warp));
        break;
      case Builtin::ballot:
        emit_ballot(operation, live_lanes(b, warp));
        break;
      case Builtin::active_mask:
        operation.call->replaceAllUsesWith(live_lanes(b, warp));
        break;
      case Builtin::match_any32:
      case Builtin::match_any64:
        emit_match(operation, live_lanes(b, warp), false);
        break;
      case Builtin::match_all32:
      case Builtin::match_all64:
        emit_match(operation, live_lanes(b, warp), true);
        break;
      case Builtin::reduce32:
        emit_reduce(operation, live_lanes(b, warp));
        break;
      default:
        break;  // __syncwarp: the end of the lane loops is sufficient
    }
    operation.call->eraseFromParent();
  }
}

}  // namespace reprise_compiler::device

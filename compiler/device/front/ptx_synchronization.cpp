// Inline PTX: barriers, fences, warp operations and calls of the runtime.
#include <llvm/IR/Intrinsics.h>

#include "front/ptx_translation.h"
#include "ir/builtin.h"
#include "ir/special_register.h"
#include "ir/warp_builtins.h"

namespace reprise_compiler::device {
namespace {

using llvm::StringRef;
using llvm::Value;

constexpr PtxType word{'u', 32}, predicate{'p', 1};

bool barrier(PtxTranslation& t, const PtxStatement& s) {
  llvm::IRBuilder<>& b = t.builder;
  if (s.has("warp")) {
    Value* mask = s.operands.size() == 1 ? t.read(s.operands[0], word) : nullptr;
    if (mask) call_builtin(b, Builtin::warp_sync, {mask});
    return mask != nullptr;
  }
  const bool arrives = s.has("arrive") && s.operands.size() == 2;
  if ((!s.has("sync") && !arrives) || s.operands.empty() || s.operands.size() > 2) return false;
  Value* id = t.read(s.operands[0], word);
  Value* threads = s.operands.size() == 2 ? t.read(s.operands[1], word) : b.getInt32(0);
  if (!id || !threads) return false;
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(id);
  if (arrives)
    call_builtin(b, Builtin::barrier_arrive, {id, threads});
  else if (s.operands.size() == 1 && constant && constant->isZero())
    call_builtin(b, Builtin::barrier);
  else
    call_builtin(b, Builtin::named_barrier, {id, threads});
  return true;
}

// bar.red: reduces one predicate per thread of the block.
bool reducing_barrier(PtxTranslation& t, const PtxStatement& s) {
  if (s.operands.size() != 3) return false;
  auto* id = llvm::dyn_cast_or_null<llvm::ConstantInt>(t.read(s.operands[1], word));
  Value* p = t.read(s.operands[2], predicate);
  if (!id || !id->isZero() || !p) return false;
  const int operation = s.has("popc") ? 0 : s.has("and") ? 1 : 2;
  llvm::IRBuilder<>& b = t.builder;
  Value* result = call_builtin(b, Builtin::barrier_reduce, {b.getInt32(operation), b.CreateZExt(p, b.getInt32Ty())});
  t.write(s.operands[0], s.has("popc") ? result : b.CreateIsNotNull(result), s.has("popc") ? word : predicate);
  return true;
}

// Each block is a cluster of its own, so a cluster barrier is a block barrier.
bool cluster_barrier(PtxTranslation& t, const PtxStatement& s) {
  if (s.has("wait")) call_builtin(t.builder, Builtin::barrier);
  return s.has("wait") || s.has("arrive");
}

// Elects the lowest lane of the mask.
bool elect(PtxTranslation& t, const PtxStatement& s) {
  if (s.operands.size() != 2 || s.operands[0].kind != PtxOperand::pair || s.operands[0].parts.size() != 2) return false;
  Value* mask = t.read(s.operands[1], word);
  if (!mask) return false;
  llvm::IRBuilder<>& b = t.builder;
  call_builtin(b, Builtin::warp_sync, {mask});
  Value* leader = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, b.getFalse());
  t.write(s.operands[0].parts[0], leader, word);
  t.write(s.operands[0].parts[1], b.CreateICmpEQ(leader, call_builtin(b, Builtin::lane)), predicate);
  return true;
}

bool shuffle(PtxTranslation& t, const PtxStatement& s) {
  if (!s.has("sync") || s.operands.size() != 5) return false;
  Value *value = t.read(s.operands[1], {'b', 32}), *lane = t.read(s.operands[2], word),
        *clamp = t.read(s.operands[3], word), *mask = t.read(s.operands[4], word);
  if (!value || !lane || !clamp || !mask) return false;
  const ShuffleOperands operands{shuffle_mode(s.opcode[2]), mask, value, lane, width_of_clamp(t.builder, clamp)};
  const bool with_predicate = s.operands[0].kind == PtxOperand::pair && s.operands[0].parts.size() == 2;
  t.write(with_predicate ? s.operands[0].parts[0] : s.operands[0], emit_shuffle(t.builder, operands), {'b', 32});
  if (with_predicate) t.write(s.operands[0].parts[1], shuffle_in_range(t.builder, operands), predicate);
  return true;
}

bool vote(PtxTranslation& t, const PtxStatement& s) {
  if (!s.has("sync") || s.operands.size() != 3) return false;
  Value *p = t.read(s.operands[1], predicate), *mask = t.read(s.operands[2], word);
  const StringRef kind = s.has("ballot") ? "ballot" : s.has("any") ? "any" : s.has("all") ? "all" : "uni";
  Value* result = p && mask ? emit_vote(t.builder, kind, mask, p) : nullptr;
  if (result) t.write(s.operands[0], result, s.has("ballot") ? word : predicate);
  return result != nullptr;
}

bool match(PtxTranslation& t, const PtxStatement& s) {
  if (!s.has("any") || s.operands.size() != 3) return false;
  const PtxType type = type_of(s);
  Value *value = t.read(s.operands[1], type), *mask = t.read(s.operands[2], word);
  if (!value || !mask) return false;
  const Builtin builtin = type.bits == 64 ? Builtin::match_any64 : Builtin::match_any32;
  t.write(s.operands[0], call_builtin(t.builder, builtin, {mask, value}), word);
  return true;
}

bool reduce(PtxTranslation& t, const PtxStatement& s) {
  if (!s.has("sync") || s.operands.size() != 3 || s.opcode.size() != 4) return false;
  const PtxType type = type_of(s);
  Value *value = t.read(s.operands[1], type), *mask = t.read(s.operands[2], word);
  if (!value || !mask) return false;
  const bool unsigned_extreme = type.kind == 'u' && (s.opcode[2] == "min" || s.opcode[2] == "max");
  const std::string operation = (unsigned_extreme ? "u" : "") + s.opcode[2].str();
  Value* result = emit_reduce(t.builder, operation, mask, value);
  if (result) t.write(s.operands[0], result, type);
  return result != nullptr;
}

}  // namespace

bool translate_ptx_synchronization(PtxTranslation& t, const PtxStatement& s) {
  const StringRef name = s.name();
  llvm::IRBuilder<>& b = t.builder;
  if (name == "barrier" && s.has("cluster")) return cluster_barrier(t, s);
  if ((name == "bar" || name == "barrier") && s.has("red")) return reducing_barrier(t, s);
  if (name == "bar" || name == "barrier") return barrier(t, s);
  if (name == "elect") return elect(t, s);
  if (name == "shfl") return shuffle(t, s);
  if (name == "vote") return vote(t, s);
  if (name == "match") return match(t, s);
  if (name == "redux") return reduce(t, s);
  if (name == "activemask" && s.operands.size() == 1) {
    t.write(s.operands[0], call_builtin(b, Builtin::active_mask), word);
    return true;
  }
  if (name == "membar" || name == "fence") {
    b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
    return true;
  }
  if (name == "griddepcontrol") {
    call_builtin(b, s.has("wait") ? Builtin::grid_dependency_sync : Builtin::trigger_programmatic);
    return true;
  }
  if (name == "trap") {
    call_runtime(b, "__reprise_trap", b.getVoidTy());
    return true;
  }
  if (name == "exit") {
    call_runtime(b, exit_builtin, b.getVoidTy());
    return true;
  }
  return name == "nanosleep" || name == "pmevent" || name == "brkpt" || name == "setmaxnreg";
}

}  // namespace reprise_compiler::device

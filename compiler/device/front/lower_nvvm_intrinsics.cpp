// Lowers NVPTX intrinsics (clang's __nvvm_ builtins) to device builtins and target-independent LLVM instructions.
//
//   call i32 @llvm.nvvm.read.ptx.sreg.tid.x()     ->   call i32 @__reprise_tid_x()
//   call void @llvm.nvvm.barrier0()               ->   call void @__reprise_barrier()
//   call i32 @llvm.nvvm.shfl.sync.down.i32(...)   ->   call i32 @__reprise_shfl32(i32 2, ...)
//   call void @llvm.nvvm.membar.gl()              ->   fence seq_cst
//
// An unknown intrinsic is an error that names it. From here on only device builtins and LLVM's own intrinsics remain.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "front/passes.h"
#include "ir/builtin.h"
#include "ir/diagnostic.h"
#include "ir/special_register.h"
#include "ir/warp_builtins.h"

namespace reprise_compiler::device {
namespace {

using llvm::StringRef;
using llvm::Value;

Value* lower_barrier(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (name == "barrier0") return call_builtin(b, Builtin::barrier);
  if (name == "barrier.n" || name == "bar.sync" || name == "barrier.sync")
    return call_builtin(b, Builtin::named_barrier, {call.getArgOperand(0), b.getInt32(0)});
  if (name == "barrier" || name == "barrier.sync.cnt")
    return call_builtin(b, Builtin::named_barrier, {call.getArgOperand(0), call.getArgOperand(1)});
  if (name == "bar.warp.sync") return call_builtin(b, Builtin::warp_sync, {call.getArgOperand(0)});
  const int operation = name == "barrier0.popc" ? 0 : name == "barrier0.and" ? 1 : name == "barrier0.or" ? 2 : -1;
  if (operation < 0) return nullptr;
  return call_builtin(b, Builtin::barrier_reduce, {b.getInt32(operation), call.getArgOperand(0)});
}

Value* lower_shuffle(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (!name.consume_front("shfl.sync.")) return nullptr;
  const auto [mode_name, type] = name.split('.');
  const bool with_predicate = type.ends_with("p");
  const ShuffleMode mode = shuffle_mode(mode_name);
  Value* value = b.CreateBitCast(call.getArgOperand(1), b.getInt32Ty());
  const ShuffleOperands operands{mode, call.getArgOperand(0), value, call.getArgOperand(2),
                                 width_of_clamp(b, call.getArgOperand(3))};
  Value* result = b.CreateBitCast(emit_shuffle(b, operands), call.getArgOperand(1)->getType());
  if (!with_predicate) return result;
  Value* pair = b.CreateInsertValue(llvm::PoisonValue::get(call.getType()), result, 0);
  return b.CreateInsertValue(pair, shuffle_in_range(b, operands), 1);
}

Value* lower_vote(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (name.consume_front("vote.") && name.consume_back(".sync"))
    return emit_vote(b, name, call.getArgOperand(0), call.getArgOperand(1));
  if (name.consume_front("match.any.sync.")) {
    const bool wide = name == "i64";
    return call_builtin(b, wide ? Builtin::match_any64 : Builtin::match_any32,
                        {call.getArgOperand(0), call.getArgOperand(1)});
  }
  if (name.consume_front("match.all.sync.")) return emit_match_all(b, call.getArgOperand(0), call.getArgOperand(1));
  if (name.consume_front("redux.sync.")) return emit_reduce(b, name, call.getArgOperand(1), call.getArgOperand(0));
  return nullptr;
}

Value* lower_memory(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (name.starts_with("membar.") || name.starts_with("fence."))
    return b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  if (name.starts_with("ldg.global.") || name.starts_with("ldu.global.")) {
    auto* alignment = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1));
    return b.CreateAlignedLoad(call.getType(), call.getArgOperand(0), llvm::Align(alignment->getZExtValue()));
  }
  if (name.consume_front("atomic.load.")) {
    const auto operation = name.starts_with("inc.")   ? llvm::AtomicRMWInst::UIncWrap
                           : name.starts_with("dec.") ? llvm::AtomicRMWInst::UDecWrap
                                                      : llvm::AtomicRMWInst::FAdd;
    return b.CreateAtomicRMW(operation, call.getArgOperand(0), call.getArgOperand(1), {},
                             llvm::AtomicOrdering::Monotonic);
  }
  return nullptr;
}

// llvm.nvvm.atomic.<op>.gen.<i|f>.<cta|sys>: atomics of a given scope.
Value* lower_scoped_atomic(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (!name.consume_front("atomic.")) return nullptr;
  const auto [operation_name, rest] = name.split('.');
  using Op = llvm::AtomicRMWInst;
  const auto order = llvm::AtomicOrdering::Monotonic;
  if (operation_name == "cas") {
    auto* pair =
        b.CreateAtomicCmpXchg(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), {}, order, order);
    return b.CreateExtractValue(pair, 0);
  }
  const bool floating = call.getType()->isFloatingPointTy();
  const Op::BinOp operation = operation_name == "add"    ? (floating ? Op::FAdd : Op::Add)
                              : operation_name == "exch" ? Op::Xchg
                              : operation_name == "max"  ? Op::Max
                              : operation_name == "min"  ? Op::Min
                              : operation_name == "inc"  ? Op::UIncWrap
                              : operation_name == "dec"  ? Op::UDecWrap
                              : operation_name == "and"  ? Op::And
                              : operation_name == "or"   ? Op::Or
                              : operation_name == "xor"  ? Op::Xor
                                                         : Op::BAD_BINOP;
  if (operation == Op::BAD_BINOP) return nullptr;
  return b.CreateAtomicRMW(operation, call.getArgOperand(0), call.getArgOperand(1), {}, order);
}

// Roundings other than to nearest are functions of the runtime; .ftz forms keep denormals like all others here.
Value* lower_floating_point(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  llvm::SmallVector<StringRef, 4> parts;
  name.split(parts, '.');
  if (parts.size() < 2 || !call.getType()->isFloatingPointTy()) return nullptr;
  const bool nearest = llvm::is_contained(parts, "rn") || llvm::is_contained(parts, "approx");
  auto unary = [&](llvm::Intrinsic::ID id) { return b.CreateUnaryIntrinsic(id, call.getArgOperand(0)); };
  Value* one = llvm::ConstantFP::get(call.getType(), 1.0);
  if (parts[0] == "fabs") return unary(llvm::Intrinsic::fabs);
  if (parts[0] == "floor") return unary(llvm::Intrinsic::floor);
  if (parts[0] == "ceil") return unary(llvm::Intrinsic::ceil);
  if (parts[0] == "trunc") return unary(llvm::Intrinsic::trunc);
  if (parts[0] == "round") return unary(llvm::Intrinsic::roundeven);
  if (parts[0] == "fmin") return b.CreateMinNum(call.getArgOperand(0), call.getArgOperand(1));
  if (parts[0] == "fmax") return b.CreateMaxNum(call.getArgOperand(0), call.getArgOperand(1));
  if (parts[0] == "saturate") {
    Value* not_negative = b.CreateMaxNum(call.getArgOperand(0), llvm::ConstantFP::getZero(call.getType()));
    return b.CreateMinNum(not_negative, one);
  }
  if (!nearest) return nullptr;
  if (parts[0] == "add") return b.CreateFAdd(call.getArgOperand(0), call.getArgOperand(1));
  if (parts[0] == "mul") return b.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
  if (parts[0] == "div") return b.CreateFDiv(call.getArgOperand(0), call.getArgOperand(1));
  if (parts[0] == "fma")
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {call.getType()},
                             {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
  if (parts[0] == "sqrt") return unary(llvm::Intrinsic::sqrt);
  if (parts[0] == "rcp") return b.CreateFDiv(one, call.getArgOperand(0));
  if (parts[0] == "rsqrt") return b.CreateFDiv(one, unary(llvm::Intrinsic::sqrt));
  if (parts[0] == "sin") return unary(llvm::Intrinsic::sin);
  if (parts[0] == "cos") return unary(llvm::Intrinsic::cos);
  if (parts[0] == "ex2") return unary(llvm::Intrinsic::exp2);
  if (parts[0] == "lg2") return unary(llvm::Intrinsic::log2);
  return nullptr;
}

Value* lower_integer(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (name == "prmt") return emit_byte_permute(b, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  if (name == "mulhi.i" || name == "mulhi.ui" || name == "mulhi.ll" || name == "mulhi.ull") {
    const unsigned width = call.getType()->getIntegerBitWidth();
    llvm::Type* wide = b.getIntNTy(width * 2);
    const bool is_signed = !name.contains("u");
    auto extend = [&](Value* v) { return is_signed ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
    Value* product = b.CreateMul(extend(call.getArgOperand(0)), extend(call.getArgOperand(1)));
    return b.CreateTrunc(b.CreateLShr(product, width), call.getType());
  }
  if (name.starts_with("bitcast.")) return b.CreateBitCast(call.getArgOperand(0), call.getType());
  if (name.starts_with("ptr.") || name.starts_with("internal.addrspace")) return call.getArgOperand(0);
  return nullptr;
}

Value* lower_space_query(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  if (!name.consume_front("isspacep.")) return nullptr;
  const Builtin query = space_query(name);
  if (query == Builtin::none) return nullptr;
  return b.CreateIsNotNull(call_builtin(b, query, {call.getArgOperand(0)}));
}

Value* lower(llvm::IRBuilder<>& b, StringRef name, llvm::CallInst& call) {
  StringRef sreg = name;
  if (sreg.consume_front("read.ptx.sreg.")) return read_special_register(b, sreg);
  if (name == "activemask") return call_builtin(b, Builtin::active_mask);
  if (name == "nanosleep") return b.getInt32(0);  // "between zero and twice the given time"
  for (auto family : {lower_barrier, lower_shuffle, lower_vote, lower_memory, lower_scoped_atomic, lower_floating_point,
                      lower_integer, lower_space_query})
    if (Value* value = family(b, name, call)) return value;
  return nullptr;
}

}  // namespace

void lower_nvvm_intrinsics(DeviceModule& module) {
  for (llvm::Function& function : module.ir)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->getName().starts_with("llvm.nvvm.")) continue;
      llvm::IRBuilder<> builder(call);
      Value* replacement = lower(builder, callee->getName().drop_front(sizeof("llvm.nvvm.") - 1), *call);
      if (!replacement) fail_at(*call, "the intrinsic " + callee->getName() + " is not supported by the CPU device");
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(replacement);
      call->eraseFromParent();
    }
  for (llvm::Function& function : llvm::make_early_inc_range(module.ir))
    if (function.getName().starts_with("llvm.nvvm.") && function.use_empty()) function.eraseFromParent();
}

}  // namespace reprise_compiler::device

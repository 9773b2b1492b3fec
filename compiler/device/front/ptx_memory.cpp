// Inline PTX: loads, stores, atomics, copies and prefetches. Cache hints have no effect.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include "front/ptx_translation.h"

namespace reprise_compiler::device {
namespace {

using llvm::AtomicOrdering;
using llvm::StringRef;
using llvm::Value;

unsigned elements(const PtxStatement& s) { return s.has("v4") ? 4 : s.has("v2") ? 2 : 1; }

// Sets volatility and atomic ordering; other accesses stay plain and may be merged and moved.
template <class Access>
void set_order(Access* access, const PtxStatement& s, AtomicOrdering strong) {
  if (s.has("volatile") || s.has("mmio")) access->setVolatile(true);
  const bool atomic = s.has("relaxed") || s.has("acquire") || s.has("release");
  if (atomic) access->setAtomic(s.has("relaxed") ? AtomicOrdering::Monotonic : strong);
}

const PtxOperand& element(const PtxOperand& operand, unsigned index) {
  return operand.kind == PtxOperand::vector ? operand.parts[index] : operand;
}

bool has_elements(const PtxOperand& operand, unsigned count) {
  return operand.kind == PtxOperand::vector ? operand.parts.size() == count : count == 1;
}

bool load(PtxTranslation& t, const PtxStatement& s) {
  const PtxType type = type_of(s);
  const unsigned count = elements(s);
  if (s.operands.size() < 2 || !has_elements(s.operands[0], count)) return false;
  Value* base = t.address(s.operands[1]);
  if (!base) return false;
  const llvm::Align alignment(type.bits / 8);
  for (unsigned i = 0; i < count; ++i) {
    Value* at = t.builder.CreateConstInBoundsGEP1_64(type.of(t.builder), base, i);
    llvm::LoadInst* value = t.builder.CreateAlignedLoad(type.of(t.builder), at, alignment);
    set_order(value, s, AtomicOrdering::Acquire);
    t.write(element(s.operands[0], i), value, type);
  }
  return true;
}

bool store(PtxTranslation& t, const PtxStatement& s) {
  const PtxType type = type_of(s);
  const unsigned count = elements(s);
  if (s.operands.size() < 2 || !has_elements(s.operands[1], count)) return false;
  Value* base = t.address(s.operands[0]);
  if (!base) return false;
  for (unsigned i = 0; i < count; ++i) {
    Value* value = t.read(element(s.operands[1], i), type);
    if (!value) return false;
    Value* at = t.builder.CreateConstInBoundsGEP1_64(type.of(t.builder), base, i);
    set_order(t.builder.CreateAlignedStore(value, at, llvm::Align(type.bits / 8)), s, AtomicOrdering::Release);
  }
  return true;
}

std::optional<llvm::AtomicRMWInst::BinOp> atomic_operation(const PtxStatement& s, PtxType type) {
  using Op = llvm::AtomicRMWInst;
  if (s.has("add")) return type.is_float() ? Op::FAdd : Op::Add;
  if (s.has("exch")) return Op::Xchg;
  if (s.has("min")) return type.is_signed() ? Op::Min : Op::UMin;
  if (s.has("max")) return type.is_signed() ? Op::Max : Op::UMax;
  if (s.has("and")) return Op::And;
  if (s.has("or")) return Op::Or;
  if (s.has("xor")) return Op::Xor;
  if (s.has("inc")) return Op::UIncWrap;
  if (s.has("dec")) return Op::UDecWrap;
  return std::nullopt;
}

AtomicOrdering order_of(const PtxStatement& s) {
  return s.has("acq_rel")   ? AtomicOrdering::AcquireRelease
         : s.has("acquire") ? AtomicOrdering::Acquire
         : s.has("release") ? AtomicOrdering::Release
                            : AtomicOrdering::Monotonic;
}

// Vector atomics: each element is updated on its own. PTX has them for floating point only.
bool atomic_vector(PtxTranslation& t, const PtxStatement& s, unsigned first) {
  const PtxType type = type_of(s);
  const auto operation = atomic_operation(s, type);
  Value* base = t.address(s.operands[first]);
  if (!base || !operation || !type.is_float() || !has_elements(s.operands[first + 1], elements(s))) return false;
  for (unsigned i = 0; i < elements(s); ++i) {
    Value* value = t.read(element(s.operands[first + 1], i), type);
    if (!value) return false;
    Value* at = t.builder.CreateConstInBoundsGEP1_64(type.of(t.builder), base, i);
    Value* old = t.builder.CreateAtomicRMW(*operation, at, value, {}, order_of(s));
    if (first == 1) t.write(element(s.operands[0], i), old, type);
  }
  return true;
}

// atom returns the old value, red does not.
bool atomic(PtxTranslation& t, const PtxStatement& s) {
  const PtxType type = type_of(s);
  const unsigned first = s.name() == "atom" ? 1 : 0;
  if (s.operands.size() < first + 2) return false;
  if (elements(s) > 1) return atomic_vector(t, s, first);
  Value *at = t.address(s.operands[first]), *value = t.read(s.operands[first + 1], type);
  if (!at || !value) return false;
  Value* old = nullptr;
  if (s.has("cas")) {
    Value* desired = s.operands.size() > first + 2 ? t.read(s.operands[first + 2], type) : nullptr;
    if (!desired) return false;
    const AtomicOrdering failure = order_of(s) == AtomicOrdering::Monotonic || order_of(s) == AtomicOrdering::Release
                                       ? AtomicOrdering::Monotonic
                                       : AtomicOrdering::Acquire;
    old = t.builder.CreateExtractValue(t.builder.CreateAtomicCmpXchg(at, value, desired, {}, order_of(s), failure), 0);
  } else if (const auto operation = atomic_operation(s, type)) {
    old = t.builder.CreateAtomicRMW(*operation, at, value, {}, order_of(s));
  }
  if (old && first == 1) t.write(s.operands[0], old, type);
  return old != nullptr;
}

// cp.async copies at once, so waiting is a no-op. Bytes beyond the size of the source are zero.
bool copy(PtxTranslation& t, const PtxStatement& s) {
  if (!s.has("async") || s.has("bulk")) return false;
  if (s.has("commit_group") || s.has("wait_group") || s.has("wait_all")) return true;
  if (s.operands.size() < 3) return false;
  Value *to = t.address(s.operands[0]), *from = t.address(s.operands[1]);
  auto* bytes = llvm::dyn_cast_or_null<llvm::ConstantInt>(t.read(s.operands[2], {'u', 32}));
  if (!to || !from || !bytes) return false;
  const llvm::Align alignment(bytes->getZExtValue());
  const size_t operands = s.operands.size() - (s.has("L2::cache_hint") ? 1 : 0);
  if (operands == 3) {
    t.builder.CreateMemCpy(to, alignment, from, alignment, bytes);
    return true;
  }
  Value* available = t.read(s.operands[3], {'u', 32});
  if (!available) return false;
  t.builder.CreateMemSet(to, t.builder.getInt8(0), bytes, alignment);
  t.builder.CreateMemCpy(to, alignment, from, llvm::Align(1), available);
  return true;
}

}  // namespace

bool translate_ptx_memory(PtxTranslation& t, const PtxStatement& s) {
  if (s.name() == "ld" || s.name() == "ldu") return load(t, s);
  if (s.name() == "st") return store(t, s);
  if (s.name() == "atom" || s.name() == "red") return atomic(t, s);
  if (s.name() == "cp") return copy(t, s);
  if (s.name() == "createpolicy" && !s.operands.empty()) {
    t.write(s.operands[0], t.builder.getInt64(0), {'b', 64});
    return true;
  }
  return s.name() == "prefetch" || s.name() == "prefetchu" || s.name() == "discard" || s.name() == "applypriority";
}

}  // namespace reprise_compiler::device

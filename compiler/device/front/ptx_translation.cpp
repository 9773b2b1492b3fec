#include "front/ptx_translation.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "ir/special_register.h"

namespace reprise_compiler::device {

using llvm::StringRef;
using llvm::Value;

llvm::Type* PtxType::of(llvm::IRBuilderBase& b) const {
  if (kind == 'p') return b.getInt1Ty();
  if (kind != 'f') return b.getIntNTy(bits);
  return bits == 16 ? b.getHalfTy() : bits == 32 ? b.getFloatTy() : b.getDoubleTy();
}

std::optional<PtxType> PtxType::named(StringRef name) {
  if (name == "pred") return PtxType{'p', 1};
  PtxType type;
  if (name.empty() || !StringRef("subf").contains(name[0])) return std::nullopt;
  type.kind = name[0];
  if (name.drop_front().getAsInteger(10, type.bits)) return std::nullopt;
  if (type.bits != 8 && type.bits != 16 && type.bits != 32 && type.bits != 64) return std::nullopt;
  return type;
}

PtxType type_of(const PtxStatement& statement) {
  for (StringRef part : llvm::reverse(statement.opcode))
    if (const auto type = PtxType::named(part)) return *type;
  return {};
}

namespace {

// Registers are untyped: reinterprets the bits as another type, truncated or extended if the sizes differ.
Value* with_type(llvm::IRBuilderBase& b, Value* value, llvm::Type* type, bool extend_sign) {
  llvm::Type* from = value->getType();
  if (from == type) return value;
  if (from->isPointerTy()) value = b.CreatePtrToInt(value, b.getInt64Ty());
  if (value->getType()->isFloatingPointTy())
    value = b.CreateBitCast(value, b.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  const unsigned bits = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
  if (type->isIntegerTy(1) && !value->getType()->isIntegerTy(1)) return b.CreateIsNotNull(value);
  value = extend_sign ? b.CreateSExtOrTrunc(value, b.getIntNTy(bits)) : b.CreateZExtOrTrunc(value, b.getIntNTy(bits));
  return type->isPointerTy() ? b.CreateIntToPtr(value, type) : b.CreateBitCast(value, type);
}

std::string operand_name(unsigned index) { return "$" + std::to_string(index); }

}  // namespace

PtxTranslation::PtxTranslation(DeviceModule& module, llvm::CallInst& call)
    : builder(&call), module_(module), call_(call) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  unsigned operand = 0, argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : assembly->ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isOutput) ++outputs_, ++operand;
    if (constraint.Type != llvm::InlineAsm::isInput) continue;
    Value* value = call.getArgOperand(argument++);
    registers_[operand_name(operand++)] = value;
    // "+r" is an output "=r" and an input "0" that is tied to it.
    unsigned tied;
    if (constraint.Codes.size() == 1 && !StringRef(constraint.Codes[0]).getAsInteger(10, tied))
      registers_[operand_name(tied)] = value;
  }
}

Value* PtxTranslation::lookup(StringRef text) {
  if (text.starts_with("${"))
    text = text.drop_front(2).take_until([](char c) { return c == ':' || c == '}'; });
  else if (text.starts_with("$"))
    text = text.drop_front();
  else
    return registers_.lookup(text);
  return registers_.lookup(("$" + text).str());
}

Value* PtxTranslation::immediate(StringRef text, PtxType type) {
  llvm::Type* llvm_type = type.of(builder);
  uint64_t bits;
  if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D")) {
    if (text.drop_front(2).getAsInteger(16, bits)) return nullptr;
    const bool wide = text[1] == 'd' || text[1] == 'D';
    Value* value = wide ? builder.CreateBitCast(builder.getInt64(bits), builder.getDoubleTy())
                        : builder.CreateBitCast(builder.getInt32(static_cast<uint32_t>(bits)), builder.getFloatTy());
    return type.is_float() ? builder.CreateFPCast(value, llvm_type) : with_type(builder, value, llvm_type, false);
  }
  double real;
  if (type.is_float() && !text.getAsDouble(real)) return llvm::ConstantFP::get(llvm_type, real);
  text.consume_back("U");
  int64_t integer;
  if (text.getAsInteger(0, integer)) {
    if (text.getAsInteger(0, bits)) return nullptr;
    integer = static_cast<int64_t>(bits);
  }
  if (type.kind == 'p') return builder.getInt1(integer != 0);
  if (type.is_float()) return nullptr;
  return llvm::ConstantInt::get(llvm_type, static_cast<uint64_t>(integer));
}

Value* PtxTranslation::read(const PtxOperand& operand, PtxType type) {
  if (operand.kind != PtxOperand::plain) return nullptr;
  StringRef text = operand.text;
  const bool inverted = type.kind == 'p' && text.consume_front("!");
  Value* value = lookup(text);
  if (!value && text.consume_front("%")) value = read_special_register(builder, text);
  if (!value && text == "WARP_SZ") value = builder.getInt32(32);
  value = value ? with_type(builder, value, type.of(builder), type.is_signed()) : immediate(text, type);
  return value && inverted ? builder.CreateNot(value) : value;
}

// Programs may keep addresses of shared memory in 32 bits, which is their full size on a GPU. Here the upper half is
// taken from another address in the same block's shared memory.
Value* PtxTranslation::widen_shared_address(Value* low) {
  constexpr const char* name = "reprise.some_shared";
  llvm::GlobalVariable* some = module_.ir.getGlobalVariable(name);
  if (!some) {
    llvm::Type* empty = llvm::ArrayType::get(builder.getInt8Ty(), 0);
    some = new llvm::GlobalVariable(module_.ir, empty, false, llvm::GlobalValue::ExternalLinkage, nullptr, name);
    module_.shared.push_back(some);
  }
  Value* known = builder.CreatePtrToInt(some, builder.getInt64Ty());
  Value* distance = builder.CreateSub(low, builder.CreateTrunc(known, builder.getInt32Ty()));
  return builder.CreateAdd(known, builder.CreateSExt(distance, builder.getInt64Ty()));
}

Value* PtxTranslation::address(const PtxOperand& operand) {
  if (operand.kind != PtxOperand::memory || operand.parts.size() != 1) return nullptr;
  Value* base = lookup(operand.parts[0].text);
  if (!base) return nullptr;
  if (base->getType()->isIntegerTy(32)) base = widen_shared_address(base);
  base = with_type(builder, base, builder.getPtrTy(), false);
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, static_cast<uint64_t>(operand.offset));
}

void PtxTranslation::write(const PtxOperand& operand, Value* value, PtxType type) {
  if (operand.text == "_") return;
  StringRef text = operand.text;
  std::string name = text.str();
  if (text.starts_with("${"))
    name = "$" + text.drop_front(2).take_until([](char c) { return c == ':' || c == '}'; }).str();
  // Outputs are typed, and results are extended to that type; registers are not.
  unsigned index;
  if (name[0] == '$' && !StringRef(name).drop_front().getAsInteger(10, index) && index < outputs_) {
    llvm::Type* whole = call_.getType();
    llvm::Type* wanted = outputs_ == 1 ? whole : whole->getStructElementType(index);
    value = with_type(builder, value, wanted, type.is_signed());
  }
  registers_[name] = value;
}

Value* PtxTranslation::result() {
  if (outputs_ == 0) return llvm::PoisonValue::get(builder.getInt32Ty());
  if (outputs_ == 1) return registers_.lookup("$0");
  Value* all = llvm::PoisonValue::get(call_.getType());
  for (unsigned i = 0; i < outputs_; ++i) {
    Value* value = registers_.lookup(operand_name(i));
    if (!value) return nullptr;
    all = builder.CreateInsertValue(all, value, i);
  }
  return all;
}

bool PtxTranslation::translate_plain(const PtxStatement& s) {
  if (has_rare_type(s)) return translate_ptx_small_floats(*this, s);
  for (auto family :
       {translate_ptx_moves, translate_ptx_integers, translate_ptx_carries, translate_ptx_floats,
        translate_ptx_comparisons, translate_ptx_conversions, translate_ptx_memory, translate_ptx_synchronization})
    if (family(*this, s)) return true;
  return false;
}

// Translates the statement into a conditional block; phis merge the registers that it writes.
bool PtxTranslation::under_predicate(const PtxStatement& s) {
  Value* predicate = lookup(s.predicate);
  if (!predicate) return false;
  predicate = with_type(builder, predicate, builder.getInt1Ty(), false);
  if (s.negated) predicate = builder.CreateNot(predicate);
  const llvm::StringMap<Value*> before = registers_;
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(predicate, &call_, false);
  llvm::BasicBlock* skipped = end->getParent()->getSinglePredecessor();
  builder.SetInsertPoint(end);
  const bool known = translate_plain(s);
  builder.SetInsertPoint(&call_.getParent()->front());
  for (auto& entry : registers_) {
    Value *now = entry.second, *old = before.lookup(entry.first());
    if (old == now) continue;
    // A register has bits, not a type: one that "shfl.b32" wrote keeps them if "@p add.f32" does not.
    llvm::IRBuilder<> before_branch(skipped->getTerminator());
    old = old ? with_type(before_branch, old, now->getType(), false) : llvm::PoisonValue::get(now->getType());
    llvm::PHINode* merged = builder.CreatePHI(now->getType(), 2);
    merged->addIncoming(now, end->getParent());
    merged->addIncoming(old, skipped);
    entry.second = merged;
  }
  builder.SetInsertPoint(&call_);
  return known;
}

bool PtxTranslation::translate(const PtxStatement& s) {
  return s.predicate.empty() ? translate_plain(s) : under_predicate(s);
}

}  // namespace reprise_compiler::device

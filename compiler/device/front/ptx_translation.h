// Inline PTX on its way to LLVM: registers as values, and the families of instructions.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>

#include "front/ptx_statement.h"
#include "ir/device_module.h"

namespace reprise_compiler::device {

// .s32, .f64, .b16, .pred ...
struct PtxType {
  char kind = 'b';  // s u b f p
  unsigned bits = 32;

  bool is_float() const { return kind == 'f'; }
  bool is_signed() const { return kind == 's'; }
  llvm::Type* of(llvm::IRBuilderBase& builder) const;
  llvm::Type* integer(llvm::IRBuilderBase& builder) const { return builder.getIntNTy(bits); }
  static std::optional<PtxType> named(llvm::StringRef name);
};

// One asm() call. Its text is a straight line, so every register is the value written to it last.
class PtxTranslation {
 public:
  PtxTranslation(DeviceModule& module, llvm::CallInst& call);

  llvm::IRBuilder<> builder;

  llvm::Value* read(const PtxOperand& operand, PtxType type);
  llvm::Value* address(const PtxOperand& operand);
  void write(const PtxOperand& operand, llvm::Value* value, PtxType type);
  // What the asm() gives back: the outputs together. Null when one was never written.
  llvm::Value* result();

  // The translation of one statement, under its predicate. False where it is not known.
  bool translate(const PtxStatement& statement);

 private:
  llvm::Value* lookup(llvm::StringRef text);
  llvm::Value* immediate(llvm::StringRef text, PtxType type);
  bool under_predicate(const PtxStatement& statement);
  bool translate_plain(const PtxStatement& statement);

  llvm::Value* whole_shared_address(llvm::Value* low);

  DeviceModule& module_;
  llvm::CallInst& call_;
  llvm::StringMap<llvm::Value*> registers_;
  unsigned outputs_ = 0;
};

// The last type of an opcode ("mul.wide.s32" -> s32), or 32 bits.
PtxType type_of(const PtxStatement& statement);

// Whether the opcode names a type that PtxType does not know: then only translate_ptx_small_floats may know it.
bool has_rare_type(const PtxStatement& statement);

// Each is true when the statement was one of its own and has been translated.
bool translate_ptx_moves(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_integers(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_carries(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_floats(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_small_floats(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_comparisons(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_conversions(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_memory(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_synchronisation(PtxTranslation& t, const PtxStatement& s);

}  // namespace reprise_compiler::device

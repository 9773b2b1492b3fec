// Translation of one inline PTX text: register values, and the families of instructions.
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

// Translates one asm() call. The text has no branches, so a register holds the value last written to it.
class PtxTranslation {
 public:
  PtxTranslation(DeviceModule& module, llvm::CallInst& call);

  llvm::IRBuilder<> builder;

  llvm::Value* read(const PtxOperand& operand, PtxType type);
  llvm::Value* address(const PtxOperand& operand);
  void write(const PtxOperand& operand, llvm::Value* value, PtxType type);
  // The result of the asm(): all its outputs. Null if an output was not written.
  llvm::Value* result();

  // Translates one statement under its predicate. Returns false for an unknown statement.
  bool translate(const PtxStatement& statement);

 private:
  llvm::Value* lookup(llvm::StringRef text);
  llvm::Value* immediate(llvm::StringRef text, PtxType type);
  bool under_predicate(const PtxStatement& statement);
  bool translate_plain(const PtxStatement& statement);

  llvm::Value* widen_shared_address(llvm::Value* low);

  DeviceModule& module_;
  llvm::CallInst& call_;
  llvm::StringMap<llvm::Value*> registers_;
  unsigned outputs_ = 0;
};

// The last type in an opcode ("mul.wide.s32" -> s32); b32 if there is none.
PtxType type_of(const PtxStatement& statement);

// True if the opcode has a type that PtxType cannot represent; only translate_ptx_small_floats handles those.
bool has_rare_type(const PtxStatement& statement);

// Each returns true if the statement belongs to its family and was translated.
bool translate_ptx_moves(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_integers(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_carries(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_floats(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_small_floats(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_comparisons(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_conversions(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_memory(PtxTranslation& t, const PtxStatement& s);
bool translate_ptx_synchronization(PtxTranslation& t, const PtxStatement& s);

}  // namespace reprise_compiler::device

// Parser of inline PTX: the statements of one asm() and their operands.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <memory>
#include <string>
#include <vector>

namespace reprise_compiler::device {

// "$0", "17", "p", "%tid.x", "[$1+16]", "{a,b}" or "p|q". The text of the last three is empty; `parts` holds their
// elements.
struct PtxOperand {
  enum Kind { plain, memory, vector, pair } kind = plain;
  llvm::StringRef text;
  std::vector<PtxOperand> parts;
  int64_t offset = 0;  // of a memory operand
};

// "@!p add.s32 a, b, c;" has the opcode {"add", "s32"}.
struct PtxStatement {
  llvm::StringRef text;
  llvm::StringRef predicate;  // empty if there is none
  bool negated = false;
  llvm::SmallVector<llvm::StringRef, 6> opcode;
  llvm::SmallVector<PtxOperand, 5> operands;

  llvm::StringRef name() const { return opcode.front(); }
  bool has(llvm::StringRef modifier) const;
};

struct PtxText {
  std::shared_ptr<const std::string> text;  // storage of the statements' StringRefs
  std::vector<PtxStatement> statements;
  std::string problem;  // what is not supported; empty if everything was parsed
};

// Drops comments, braces and register declarations; a register is declared by the first write to it.
PtxText parse_ptx(llvm::StringRef text);

}  // namespace reprise_compiler::device

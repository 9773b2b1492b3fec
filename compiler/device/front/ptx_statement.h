// Inline PTX as text: the statements of one asm() and their operands.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <memory>
#include <string>
#include <vector>

namespace reprise_compiler::device {

// "$0", "17", "p", "%tid.x", "[$1+16]", "{a,b}" or "p|q". The text of the latter three is empty; `parts` holds what is
// inside.
struct PtxOperand {
  enum Kind { plain, memory, vector, pair } kind = plain;
  llvm::StringRef text;
  std::vector<PtxOperand> parts;
  int64_t offset = 0;  // of memory
};

// "@!p add.s32 a, b, c;" has the opcode {"add", "s32"}.
struct PtxStatement {
  llvm::StringRef text;
  llvm::StringRef predicate;  // empty where there is none
  bool negated = false;
  llvm::SmallVector<llvm::StringRef, 6> opcode;
  llvm::SmallVector<PtxOperand, 5> operands;

  llvm::StringRef name() const { return opcode.front(); }
  bool has(llvm::StringRef modifier) const;
};

struct PtxText {
  std::shared_ptr<const std::string> text;  // what the statements refer to
  std::vector<PtxStatement> statements;
  std::string problem;  // what could not be read, or empty
};

// Comments, braces and register declarations are gone: a register is known by being written.
PtxText parse_ptx(llvm::StringRef text);

}  // namespace reprise_compiler::device

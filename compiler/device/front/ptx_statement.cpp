#include "front/ptx_statement.h"

#include <llvm/ADT/STLExtras.h>

namespace reprise_compiler::device {
namespace {

using llvm::StringRef;

// Removes and returns the text up to the next separator that is not within brackets or braces.
StringRef take_until(StringRef& text, char separator) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || (text[i] == '{' && !text.substr(0, i).ends_with("$"))) ++depth;
    if (text[i] == ']' || (text[i] == '}' && depth > 0)) --depth;
    if (text[i] != separator || depth > 0) continue;
    const StringRef taken = text.take_front(i);
    text = text.drop_front(i + 1);
    return taken.trim();
  }
  const StringRef taken = text;
  text = {};
  return taken.trim();
}

PtxOperand parse_operand(StringRef text) {
  PtxOperand operand;
  text = text.trim();
  auto parse_parts = [&](StringRef inside, char separator) {
    while (!inside.empty()) operand.parts.push_back(parse_operand(take_until(inside, separator)));
  };
  if (text.starts_with("[") && text.ends_with("]")) {
    operand.kind = PtxOperand::memory;
    StringRef address = text.drop_front().drop_back().trim();
    const size_t sign = address.find_last_of("+-");
    if (sign != StringRef::npos && sign > 0) {
      StringRef offset = address.substr(sign + 1).trim();
      if (!offset.getAsInteger(0, operand.offset)) {
        if (address[sign] == '-') operand.offset = -operand.offset;
        address = address.take_front(sign).trim();
        if (address.ends_with("+")) address = address.drop_back().trim();  // "+-8"
      }
    }
    parse_parts(address, ',');
  } else if (text.starts_with("{") && text.ends_with("}")) {
    operand.kind = PtxOperand::vector;
    parse_parts(text.drop_front().drop_back(), ',');
  } else if (text.contains('|')) {
    operand.kind = PtxOperand::pair;
    parse_parts(text, '|');
  } else {
    operand.text = text;
  }
  return operand;
}

std::string without_comments(StringRef text) {
  std::string kept;
  while (!text.empty()) {
    if (text.starts_with("//")) {
      text = text.drop_front(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const size_t end = text.find("*/", 2);
      text = text.drop_front(end == StringRef::npos ? text.size() : end + 2);
      kept += ' ';
    } else {
      kept += text.front();
      text = text.drop_front();
    }
  }
  return kept;
}

// A single colon ends a label; a double colon is part of a modifier, as in ld.global.L1::no_allocate.
bool is_label(StringRef opcode) {
  for (; !opcode.empty(); opcode = opcode.drop_front())
    if (!opcode.consume_front("::") && opcode.starts_with(":")) return true;
  return false;
}

void parse_statement(StringRef text, PtxText& result) {
  text = text.trim();
  if (text.empty() || text.starts_with(".reg")) return;
  PtxStatement statement;
  statement.text = text;
  if (text.consume_front("@")) {
    statement.negated = text.consume_front("!");
    const size_t end = text.find_first_of(" \t\n");
    statement.predicate = text.take_front(end);
    text = text.drop_front(statement.predicate.size()).ltrim();
  }
  const size_t end = text.find_first_of(" \t\n");
  const StringRef opcode = text.take_front(end);
  if (is_label(opcode)) {
    result.problem = "labels and branches";
    return;
  }
  opcode.split(statement.opcode, '.', -1, false);
  StringRef operands = text.drop_front(opcode.size());
  while (!operands.trim().empty()) statement.operands.push_back(parse_operand(take_until(operands, ',')));
  if (!statement.opcode.empty()) result.statements.push_back(std::move(statement));
}

}  // namespace

bool PtxStatement::has(StringRef modifier) const { return llvm::is_contained(opcode, modifier); }

PtxText parse_ptx(StringRef whole) {
  PtxText result;
  result.text = std::make_shared<const std::string>(without_comments(whole));
  const StringRef text = *result.text;
  // A brace at the start of a statement opens or closes a scope.
  bool at_start = true;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const bool end = i == text.size();
    if (!end && at_start && (text[i] == '{' || text[i] == '}')) {
      begin = i + 1;
      continue;
    }
    if (end || text[i] == ';') {
      parse_statement(text.slice(begin, i), result);
      begin = i + 1;
      at_start = true;
    } else if (!isspace(static_cast<unsigned char>(text[i]))) {
      at_start = false;
    }
  }
  return result;
}

}  // namespace reprise_compiler::device

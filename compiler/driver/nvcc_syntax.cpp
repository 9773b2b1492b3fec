#include "nvcc_syntax.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <vector>

namespace reprise_compiler::driver {
namespace {

constexpr const char* blanks = " \t";
constexpr const char* spaces = " \t\n\\";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Returns the end of the string literal that begins at `at`.
std::size_t behind_literal(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// Returns the end of the parentheses that open at `at`; npos when they are not closed.
std::size_t behind_parentheses(const std::string& text, std::size_t at) {
  int open = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = behind_literal(text, at);
      continue;
    }
    if (text[at] == '(') ++open;
    if (text[at] == ')' && --open == 0) return at + 1;
    ++at;
  }
  return std::string::npos;
}

// One object of a declaration: a[4] of "__shared__ Type a[4], b;".
struct Declarator {
  std::string name, extents;
};

struct Declaration {
  std::size_t begin, end;  // in the text; the end is after the semicolon
  std::string specifiers;  // without __shared__ and static
  std::vector<Declarator> declarators;
};

// Splits at the commas outside brackets.
std::vector<std::string> split_declarators(const std::string& declaration) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  for (const char c : declaration) {
    depth += std::string_view("([{<").find(c) != std::string_view::npos;
    depth -= std::string_view(")]}>").find(c) != std::string_view::npos;
    if (c == ',' && depth == 0)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

// Splits "... Type name[4]" into the text before the name, the name and the extents. Fails on an initialiser.
bool parse_declarator(const std::string& piece, std::string& before, Declarator& declarator) {
  static const std::regex form(R"(([^]*?)([A-Za-z_]\w*)\s*((?:\[[^]*\])?)\s*)");
  std::smatch found;
  if (!std::regex_match(piece, found, form)) return false;
  before = found[1];
  declarator = {found[2], found[3]};
  return true;
}

// Finds the declaration of shared objects without initialisers around `at`.
bool find_shared_declaration(const std::string& text, std::size_t at, Declaration& found) {
  const std::size_t last = text.find_last_of(";{}", at);
  const std::size_t word = text.find("__shared__", last == std::string::npos ? 0 : last);
  if (word == std::string::npos || word > at) return false;
  found.begin = word;
  // Other specifiers may come first: static, alignas(16), volatile.
  const std::size_t line = text.rfind('\n', word);
  std::size_t begin = std::max(last == std::string::npos ? 0 : last + 1, line == std::string::npos ? 0 : line + 1);
  begin = text.find_first_not_of(spaces, begin);
  static const std::regex specifiers_only(R"((\s*\w+(\s*\([^()]*\))*)*\s*)");
  if (std::regex_match(text.substr(begin, word - begin), specifiers_only)) found.begin = begin;
  const std::size_t semicolon = text.find(';', at);
  if (semicolon == std::string::npos) return false;
  found.end = semicolon + 1;
  const std::vector<std::string> pieces = split_declarators(text.substr(found.begin, semicolon - found.begin));
  for (const std::string& piece : pieces) {
    std::string before;
    Declarator declarator;
    if (!parse_declarator(piece, before, declarator)) return false;
    if (found.declarators.empty())
      found.specifiers = std::regex_replace(before, std::regex(R"(\b(__shared__|static)\b)"), "");
    else if (before.find_first_not_of(spaces) != std::string::npos)
      return false;
    found.declarators.push_back(declarator);
  }
  return found.specifiers.find_first_of("=") == std::string::npos;
}

std::string unconstructed(const std::string& specifiers, const Declarator& declarator) {
  const std::string type = "__reprise_shared_" + declarator.name;
  const std::string object = "__reprise_shared_object_" + declarator.name;
  return "union " + type + " { " + specifiers + " " + declarator.name + declarator.extents + "; __host__ __device__ " +
         type + "() {} __host__ __device__ ~" + type + "() {} }; __shared__ " + type + " " + object + "; auto& " +
         declarator.name + " = " + object + "." + declarator.name + ";";
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace

bool join_launch_brackets(std::string& text, std::size_t at) {
  const char bracket = text[at];
  if (bracket != '<' && bracket != '>') return false;
  const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(blanks, at - 1);
  if (before == std::string::npos || before == 0 || before + 1 == at) return false;
  if (text[before] != bracket || text[before - 1] != bracket) return false;
  const std::size_t count = at - before - 1;
  text.erase(before + 1, count);
  text.insert(before - 1, count, ' ');
  return true;
}

bool separate_asm_operands(std::string& text, std::size_t at) {
  bool changed = false;
  while (at < text.size() && text[at] == '"') {
    const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(spaces, at - 1);
    if (before != std::string::npos && text[before] == ')') {
      text.insert(at++, ",");
      changed = true;
    }
    at = text.find_first_not_of(spaces, behind_literal(text, at));
    if (at == std::string::npos || text[at] != '(') break;
    at = behind_parentheses(text, at);
    if (at == std::string::npos) break;
    at = text.find_first_not_of(" \t\n\\,:", at);
  }
  return changed;
}

bool leave_shared_object_unconstructed(std::string& text, std::size_t at) {
  Declaration declaration;
  if (!find_shared_declaration(text, at, declaration)) return false;
  const bool names_object =
      std::any_of(declaration.declarators.begin(), declaration.declarators.end(), [&](const Declarator& declarator) {
        return text.compare(at, declarator.name.size(), declarator.name) == 0 &&
               !is_word(text[at + declarator.name.size()]);
      });
  if (!names_object) return false;
  const std::string old = text.substr(declaration.begin, declaration.end - declaration.begin);
  std::string replacement;
  for (const Declarator& declarator : declaration.declarators)
    replacement += on_one_line(unconstructed(declaration.specifiers, declarator)) + " ";
  replacement.append(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
  text.replace(declaration.begin, old.size(), replacement);
  return true;
}

}  // namespace reprise_compiler::driver

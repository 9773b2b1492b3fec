#include "source_overlay.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "nvcc_syntax.h"

namespace reprise_compiler::driver {
namespace {

constexpr int most_corrections = 8;  // clang stops after 20 errors, so one round may not be enough

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Returns the offset of a line and column, counted from 1; npos when the text has no such position.
std::size_t position_of(const std::string& text, std::size_t line, std::size_t column) {
  std::size_t start = 0;
  for (; line > 1; --line) {
    start = text.find('\n', start);
    if (start == std::string::npos) return start;
    ++start;
  }
  return start + column - 1 < text.size() ? start + column - 1 : std::string::npos;
}

// Returns the end of the parentheses that open after optional space; npos when there are none or they are not closed.
std::size_t behind_parentheses(const std::string& text, std::size_t at) {
  at = text.find_first_not_of(" \t\n\\", at);
  if (at == std::string::npos || text[at] != '(') return std::string::npos;
  for (int open = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++open;
    if (text[at] == ')' && --open == 0) return at + 1;
  }
  return std::string::npos;
}

std::size_t end_of_word(const std::string& text, std::size_t at) {
  while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_')) ++at;
  return at;
}

// Tells name(parameters) -> type from a constructor, which has no arrow.
bool is_deduction_guide(const std::string& text, std::size_t at) {
  at = behind_parentheses(text, end_of_word(text, at));
  if (at != std::string::npos) at = text.find_first_not_of(" \t\n", at);
  return at != std::string::npos && text.compare(at, 2, "->") == 0;
}

bool has_word_at(const std::string& text, std::size_t at, const std::string& word) {
  return text.compare(at, word.size(), word) == 0;
}

// Clang accepts its own attributes where it rejects standard ones. Attributes that do not affect the code are dropped.
std::string to_gnu_attributes(const std::string& list) {
  static const std::regex attribute("(?:(gnu|clang)\\s*::\\s*)?([A-Za-z_]\\w*)(\\s*\\([^\\]]*\\))?");
  std::string words;
  for (std::sregex_iterator found(list.begin(), list.end(), attribute), end; found != end; ++found) {
    const std::string name = (*found)[2] == "maybe_unused" ? "unused" : (*found)[2].str();
    if ((*found)[1].matched || name == "unused") words += (words.empty() ? "" : ", ") + name + (*found)[3].str();
  }
  return words.empty() ? "" : "__attribute__((" + words + "))";
}

// Replaces the attribute or alignas at `at`. Returns whether there was one.
bool correct_attribute(std::string& text, std::size_t at, bool in_macro) {
  static const std::string word = "alignas";
  if (has_word_at(text, at, "[[")) {
    const std::size_t end = text.find("]]", at);
    if (end == std::string::npos) return false;
    text.replace(at, end + 2 - at, to_gnu_attributes(text.substr(at + 2, end - at - 2)));
    return true;
  }
  if (!has_word_at(text, at, word)) return false;
  const std::size_t end = behind_parentheses(text, at + word.size());
  if (!in_macro) {
    text.replace(at, word.size(), "_Alignas");
  } else {
    // The macro may also be used in places where clang rejects _Alignas.
    if (end == std::string::npos) return false;
    text.insert(end, "))");
    text.replace(at, word.size(), "__attribute__((aligned");
  }
  return true;
}

// Whether a macro's text is `alignas` without its argument, which then follows the use of the macro.
bool is_mere_alignas(const std::string& text, std::size_t line, std::size_t column) {
  const std::size_t at = position_of(text, line, column);
  if (at == std::string::npos || !has_word_at(text, at, "alignas")) return false;
  const std::size_t next = text.find_first_not_of(" \t", end_of_word(text, at));
  return next == std::string::npos || text[next] != '(';
}

bool correct_name_of_alignas(std::string& text, std::size_t at) {
  const std::size_t end = end_of_word(text, at);
  if (end == at || behind_parentheses(text, end) == std::string::npos) return false;
  text.replace(at, end - at, "_Alignas");
  return true;
}

bool correct_guide(std::string& text, std::size_t at) {
  static const std::string both = "__host__ __device__ ";
  if (!is_deduction_guide(text, at) || (at >= both.size() && text.compare(at - both.size(), both.size(), both) == 0))
    return false;
  text.insert(at, both);
  return true;
}

// Returns the index of the note about the innermost macro that message `at` was expanded from; `at` when there is none.
std::size_t innermost_expansion(const std::vector<LocatedMessage>& messages, std::size_t at) {
  while (at + 1 < messages.size() && messages[at + 1].words.starts_with("expanded from macro")) ++at;
  return at;
}

bool is_misplaced_attribute(const std::string& words) {
  return words.starts_with("an attribute list cannot appear here") ||
         words.starts_with("'alignas' attribute cannot be applied to types");
}

// `deduction_failed`: the message is a note to an error about failed deduction.
bool is_host_deduction_guide(const std::string& words, bool deduction_failed) {
  return (words.starts_with("'<deduction guide for") && words.ends_with("declared here")) ||
         (deduction_failed && words.starts_with("candidate function not viable: call to __host__ function"));
}

}  // namespace

const std::string& SourceOverlay::text_of(const std::string& file) {
  const auto known = texts_.find(file);
  return known != texts_.end() ? known->second : files_.try_emplace(file, read_file(file)).first->second;
}

bool SourceOverlay::apply(Fault fault, std::string& text, std::size_t at) {
  switch (fault) {
    case Fault::attribute:
      return correct_attribute(text, at, false);
    case Fault::attribute_in_macro:
      return correct_attribute(text, at, true);
    case Fault::name_of_alignas:
      return correct_name_of_alignas(text, at);
    case Fault::guide:
      return correct_guide(text, at);
    case Fault::launch_brackets:
      return join_launch_brackets(text, at);
    case Fault::asm_operands:
      return separate_asm_operands(text, at);
    case Fault::shared_constructor:
      return leave_shared_object_unconstructed(text, at);
  }
  return false;
}

bool SourceOverlay::change(const std::string& file, std::size_t line, std::size_t column, Fault fault) {
  std::string text = text_of(file);
  const std::size_t at = position_of(text, line, column);
  if (at == std::string::npos || !apply(fault, text, at)) return false;
  texts_[file] = std::move(text);
  changed_lines_.insert({file, line});
  macro_changed_ |= fault == Fault::attribute_in_macro;
  return true;
}

std::optional<SourceOverlay::Fault> SourceOverlay::fault_with_message(const std::string& words) {
  if (words == "expected expression") return Fault::launch_brackets;
  if (words == "expected ')'") return Fault::asm_operands;
  if (words == "initialization is not supported for __shared__ variables" ||
      words.starts_with("no matching constructor for initialization of"))
    return Fault::shared_constructor;
  return std::nullopt;
}

void SourceOverlay::add_attribute_fault(Faults& faults, const std::vector<LocatedMessage>& messages,
                                        std::size_t message, std::size_t expansion) {
  const LocatedMessage& innermost = messages[expansion];
  if (expansion == message) {
    faults[innermost.file].insert({{innermost.line, innermost.column}, Fault::attribute});
  } else if (is_mere_alignas(text_of(innermost.file), innermost.line, innermost.column)) {
    const LocatedMessage& use = messages[expansion - 1];
    faults[use.file].insert({{use.line, use.column}, Fault::name_of_alignas});
  } else {
    faults[innermost.file].insert({{innermost.line, innermost.column}, Fault::attribute_in_macro});
  }
}

SourceOverlay::Faults SourceOverlay::find_faults(const std::vector<LocatedMessage>& messages) {
  Faults faults;
  bool deduction_failed = false;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const LocatedMessage& message = messages[i];
    if (message.is_error) deduction_failed = message.words.starts_with("no viable constructor or deduction guide");
    const std::size_t expansion = innermost_expansion(messages, i);
    if (is_misplaced_attribute(message.words)) {
      add_attribute_fault(faults, messages, i, expansion);
    } else if (const auto fault = fault_with_message(message.words)) {
      // The text is in the macro, or in an argument of it, where clang reports the error.
      for (const LocatedMessage& each : {messages[expansion], message})
        faults[each.file].insert({{each.line, each.column}, *fault});
    } else if (is_host_deduction_guide(message.words, deduction_failed)) {
      faults[message.file].insert({{message.line, message.column}, Fault::guide});
    }
  }
  return faults;
}

bool SourceOverlay::correct(const std::vector<std::string>& passes) {
  if (first_messages_.empty()) first_messages_ = passes;
  if (++corrections_ > most_corrections) return false;
  bool changed = false;
  for (const auto& [file, of_file] : find_faults(located_messages(passes)))
    for (const auto& [place, fault] : of_file) changed |= change(file, place.first, place.second, fault);
  if (changed) write();
  return changed;
}

const std::vector<std::string>& SourceOverlay::to_report(const std::vector<std::string>& last_passes) const {
  if (changed_lines_.empty()) return last_passes;
  std::set<std::pair<std::string, std::size_t>> known;
  for (const LocatedMessage& message : located_messages(first_messages_)) known.insert({message.file, message.line});
  for (const LocatedMessage& message : located_messages(last_passes)) {
    const std::pair<std::string, std::size_t> line{message.file, message.line};
    // A changed macro may cause an error wherever it is used.
    if (message.is_error && (changed_lines_.contains(line) || (macro_changed_ && !known.contains(line))))
      return first_messages_;
  }
  return last_passes;
}

void SourceOverlay::write() {
  std::string roots;
  for (const auto& [file, text] : texts_) {
    const std::string copy = workspace_.file(number_, source_, ".overlay" + std::to_string(roots.size()));
    std::ofstream(copy, std::ios::binary) << text;
    roots += (roots.empty() ? "" : ",\n") + ("{ \"type\": \"file\", \"name\": " + quoted(file)) +
             ", \"external-contents\": " + quoted(std::filesystem::absolute(copy)) + " }";
  }
  path_ = workspace_.file(number_, source_, ".overlay");
  std::ofstream(path_) << "{ \"version\": 0, \"use-external-names\": false, \"roots\": [\n" << roots << "\n] }\n";
}

}  // namespace reprise_compiler::driver

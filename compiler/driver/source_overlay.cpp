#include "source_overlay.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "diagnostics.h"
#include "nvcc_syntax.h"

namespace reprise_compiler::driver {
namespace {

constexpr int most_corrections = 8;  // clang stops after 20 errors, so one may not be enough

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

// Where a line and column, counted from 1, are in a text; npos: nowhere.
std::size_t position_of(const std::string& text, std::size_t line, std::size_t column) {
  std::size_t start = 0;
  for (; line > 1; --line) {
    start = text.find('\n', start);
    if (start == std::string::npos) return start;
    ++start;
  }
  return start + column - 1 < text.size() ? start + column - 1 : std::string::npos;
}

// Behind the parentheses that the next character but space opens; npos: it opens none, or they stay open.
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

// name(parameters) -> type: a constructor has no arrow.
bool is_deduction_guide(const std::string& text, std::size_t at) {
  at = behind_parentheses(text, end_of_word(text, at));
  if (at != std::string::npos) at = text.find_first_not_of(" \t\n", at);
  return at != std::string::npos && text.compare(at, 2, "->") == 0;
}

bool has_word_at(const std::string& text, std::size_t at, const std::string& word) {
  return text.compare(at, word.size(), word) == 0;
}

// Clang's own attributes may stand where the standard's may not. What has no effect on the code goes.
std::string in_clangs_words(const std::string& list) {
  static const std::regex attribute("(?:(gnu|clang)\\s*::\\s*)?([A-Za-z_]\\w*)(\\s*\\([^\\]]*\\))?");
  std::string words;
  for (std::sregex_iterator found(list.begin(), list.end(), attribute), end; found != end; ++found) {
    const std::string name = (*found)[2] == "maybe_unused" ? "unused" : (*found)[2].str();
    if ((*found)[1].matched || name == "unused") words += (words.empty() ? "" : ", ") + name + (*found)[3].str();
  }
  return words.empty() ? "" : "__attribute__((" + words + "))";
}

// Whether text has anything to change there, and is changed.
bool correct_attribute(std::string& text, std::size_t at, bool in_macro) {
  static const std::string word = "alignas";
  if (has_word_at(text, at, "[[")) {
    const std::size_t end = text.find("]]", at);
    if (end == std::string::npos) return false;
    text.replace(at, end + 2 - at, in_clangs_words(text.substr(at + 2, end - at - 2)));
    return true;
  }
  if (!has_word_at(text, at, word)) return false;
  const std::size_t end = behind_parentheses(text, at + word.size());
  if (!in_macro) {
    text.replace(at, word.size(), "_Alignas");
  } else {
    // A macro may stand in other places too, where _Alignas may not.
    if (end == std::string::npos) return false;
    text.insert(end, "))");
    text.replace(at, word.size(), "__attribute__((aligned");
  }
  return true;
}

// In the text of a macro: what is aligned stands where the macro is used.
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

struct Message {
  std::string file;
  std::size_t line, column;
  bool error;
  std::string words;
};

// The errors and notes that have a place. A file has one name, however it was included.
std::vector<Message> messages_of(const std::vector<std::string>& passes) {
  static const std::regex place("(.*):([0-9]+):([0-9]+): (error|note): (.*)");
  std::vector<Message> messages;
  std::smatch found;
  for (const std::string& pass : passes) {
    std::istringstream lines(without_colours(pass));
    for (std::string line; std::getline(lines, line);)
      if (std::regex_match(line, found, place))
        messages.push_back({std::filesystem::absolute(found[1].str()).lexically_normal(), std::stoul(found[2]),
                            std::stoul(found[3]), found[4] == "error", found[5]});
  }
  return messages;
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

bool SourceOverlay::correct(const std::vector<std::string>& passes) {
  if (first_messages_.empty()) first_messages_ = passes;
  if (++corrections_ > most_corrections) return false;
  // From the last place to the first: a change moves what stands behind it.
  std::map<std::string, std::map<std::pair<std::size_t, std::size_t>, Fault, std::greater<>>> places;
  bool deduction_failed = false;
  const std::vector<Message> messages = messages_of(passes);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string& words = messages[i].words;
    if (messages[i].error) deduction_failed = words.starts_with("no viable constructor or deduction guide");
    // The last of the macros that a place comes from has the text.
    std::size_t last = i;
    while (last + 1 < messages.size() && messages[last + 1].words.starts_with("expanded from macro")) ++last;
    const auto note = [&](Fault fault) {
      places[messages[last].file].insert({{messages[last].line, messages[last].column}, fault});
    };
    // The text may also be an argument of the macros, and stand where clang complains.
    const auto note_both = [&](Fault fault) {
      note(fault);
      places[messages[i].file].insert({{messages[i].line, messages[i].column}, fault});
    };
    if (words.starts_with("an attribute list cannot appear here") ||
        words.starts_with("'alignas' attribute cannot be applied to types")) {
      Fault fault = last == i ? Fault::attribute : Fault::attribute_in_macro;
      if (last != i && is_mere_alignas(text_of(messages[last].file), messages[last].line, messages[last].column))
        fault = Fault::name_of_alignas, --last;
      note(fault);
    } else if (words == "expected expression") {
      note_both(Fault::launch_brackets);
    } else if (words == "expected ')'") {
      note_both(Fault::asm_operands);
    } else if (words == "initialization is not supported for __shared__ variables" ||
               words.starts_with("no matching constructor for initialization of")) {
      note_both(Fault::shared_constructor);
    } else if ((words.starts_with("'<deduction guide for") && words.ends_with("declared here")) ||
               (deduction_failed && words.starts_with("candidate function not viable: call to __host__ function"))) {
      places[messages[i].file].insert({{messages[i].line, messages[i].column}, Fault::guide});
    }
  }
  bool changed = false;
  for (const auto& [file, of_file] : places)
    for (const auto& [place, fault] : of_file) changed |= change(file, place.first, place.second, fault);
  if (changed) write();
  return changed;
}

const std::vector<std::string>& SourceOverlay::to_report(const std::vector<std::string>& last_passes) const {
  if (changed_lines_.empty()) return last_passes;
  // A macro that was changed can be wrong wherever it is used.
  std::set<std::pair<std::string, std::size_t>> known;
  for (const Message& message : messages_of(first_messages_)) known.insert({message.file, message.line});
  for (const Message& message : messages_of(last_passes)) {
    const std::pair<std::string, std::size_t> line{message.file, message.line};
    if (message.error && (changed_lines_.contains(line) || (macro_changed_ && !known.contains(line))))
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

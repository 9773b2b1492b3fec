#include "diagnostics.h"

#include <regex>
#include <set>

#include "missing_parts.h"

namespace reprise_compiler::driver {
namespace {

bool is_count(const std::string& line) {
  static const std::regex count("[0-9]+ (warning|error)s?( and [0-9]+ errors?)? generated.*");
  return std::regex_match(line, count);
}

// "file:3:5: error: ...", "clang++-19: error: ..."; notes belong to the message before them.
bool is_head(const std::string& line) {
  static const std::regex head("[^ ].*: (fatal error|error|warning|remark): .*");
  return std::regex_match(line, head);
}

bool is_preamble(const std::string& line) {
  return line.starts_with("In file included from ") || line.starts_with("In module ");
}

struct Message {
  std::string head;  // without colours
  std::string text;
};

std::vector<Message> split(const std::string& output) {
  std::vector<Message> messages;
  bool in_preamble = false;
  for (std::size_t begin = 0; begin < output.size();) {
    std::size_t end = output.find('\n', begin);
    end = end == std::string::npos ? output.size() : end + 1;
    const std::string line = output.substr(begin, end - begin);
    begin = end;
    const std::string plain = without_colours(line.ends_with('\n') ? line.substr(0, line.size() - 1) : line);
    if (is_count(plain)) continue;
    const bool head = is_head(plain), preamble = is_preamble(plain);
    if (messages.empty() || (!in_preamble && (head || preamble))) messages.emplace_back();
    if (head || messages.back().head.empty()) messages.back().head = plain;
    messages.back().text += line;
    in_preamble = preamble;
  }
  return messages;
}

}  // namespace

std::string without_colours(const std::string& line) {
  static const std::regex escape("\x1b\\[[0-9;]*[A-Za-z]");
  return std::regex_replace(line, escape, "");
}

MergedDiagnostics merge_diagnostics(const std::vector<std::string>& passes) {
  MergedDiagnostics merged;
  std::set<std::string> seen;
  for (const std::string& pass : passes) {
    std::vector<std::string> heads;
    for (const Message& message : split(pass)) {
      heads.push_back(message.head);
      if (seen.contains(message.head)) continue;
      merged.text += message.text + note_on_missing_header(message.head) + note_on_nested_launch(message.head);
      merged.errors += message.head.find("error: ") != std::string::npos;
    }
    // One pass may say the same thing twice for two reasons (two instantiations): that stays.
    seen.insert(heads.begin(), heads.end());
  }
  return merged;
}

}  // namespace reprise_compiler::driver

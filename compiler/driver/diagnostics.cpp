#include "diagnostics.h"

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "missing_parts.h"

namespace reprise_compiler::driver {
namespace {

bool is_count(const std::string& line) {
  static const std::regex count("[0-9]+ (warning|error)s?( and [0-9]+ errors?)? generated.*");
  return std::regex_match(line, count);
}

// Matches "file:3:5: error: ..." and "clang++-19: error: ...". Notes belong to the message before them.
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

std::vector<LocatedMessage> located_messages(const std::vector<std::string>& passes) {
  static const std::regex located("(.*):([0-9]+):([0-9]+): (error|note): (.*)");
  std::vector<LocatedMessage> messages;
  std::smatch found;
  for (const std::string& pass : passes) {
    std::istringstream lines(without_colours(pass));
    for (std::string line; std::getline(lines, line);)
      if (std::regex_match(line, found, located))
        messages.push_back({std::filesystem::absolute(found[1].str()).lexically_normal(), std::stoul(found[2]),
                            std::stoul(found[3]), found[4] == "error", found[5]});
  }
  return messages;
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
    // Messages that one pass repeats, for instance for two instantiations of a template, are kept.
    seen.insert(heads.begin(), heads.end());
  }
  return merged;
}

}  // namespace reprise_compiler::driver

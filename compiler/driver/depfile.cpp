#include "depfile.h"

namespace reprise_compiler::driver {

std::vector<std::string> parse_prerequisites(const std::string& rule) {
  std::vector<std::string> files;
  std::size_t i = rule.find(": ");
  if (i == std::string::npos) i = rule.find(":\\");
  if (i == std::string::npos) return files;
  std::string word;
  for (++i; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && next == '\n')
      ++i;
    else if (c == '\\' && (next == ' ' || next == '#' || next == '\\'))
      word += rule[++i];
    else if (c == '$' && next == '$')
      word += rule[++i];
    else if (c != ' ' && c != '\n')
      word += c;
    else if (!word.empty())
      files.push_back(std::move(word)), word.clear();
    if (c == '\n') break;
  }
  return files;
}

std::string quote_for_make(const std::string& path) {
  std::string quoted;
  for (char c : path) {
    if (c == ' ' || c == '#') quoted += '\\';
    if (c == '$') quoted += '$';
    quoted += c;
  }
  return quoted;
}

std::string format_rule(const Rule& rule) {
  std::string text;
  for (const std::string& target : rule.targets) text += (text.empty() ? "" : " ") + target;
  text += ":";
  for (const std::string& file : rule.prerequisites) text += " \\\n  " + quote_for_make(file);
  text += "\n";
  if (rule.phony_targets)
    for (std::size_t i = 1; i < rule.prerequisites.size(); ++i) text += quote_for_make(rule.prerequisites[i]) + ":\n";
  return text;
}

}  // namespace reprise_compiler::driver

#include "source_overlay.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "diagnostics.h"

namespace reprise::driver {
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

}  // namespace

bool SourceOverlay::change(const std::string& file, std::size_t line, std::size_t column) {
  const auto known = texts_.find(file);
  std::string text = known != texts_.end() ? known->second : read_file(file);
  const std::size_t at = position_of(text, line, column);
  if (at == std::string::npos) return false;
  static const std::string aligned = "alignas", both = "__host__ __device__ ";
  if (text.compare(at, aligned.size(), aligned) == 0)
    text.replace(at, aligned.size(), "_Alignas");
  else if (at < both.size() || text.compare(at - both.size(), both.size(), both) != 0)
    text.insert(at, both);
  else
    return false;
  texts_[file] = std::move(text);
  return true;
}

bool SourceOverlay::correct(const std::string& messages) {
  if (++corrections_ > most_corrections) return false;
  static const std::regex place("(.*):([0-9]+):([0-9]+): (error|note): (.*)");
  // From the last place to the first: a change moves what stands behind it.
  std::map<std::string, std::set<std::pair<std::size_t, std::size_t>, std::greater<>>> places;
  bool deduction_failed = false;
  std::istringstream lines(without_colours(messages));
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, found, place)) continue;
    const std::string message = found[5];
    if (found[4] == "error") deduction_failed = message.starts_with("no viable constructor or deduction guide");
    const bool of_interest = message.starts_with("an attribute list cannot appear here") ||
                             (message.starts_with("'<deduction guide for") && message.ends_with("declared here")) ||
                             (deduction_failed && message.starts_with("candidate function not viable: call to __host__ function"));
    if (of_interest) places[found[1]].insert({std::stoul(found[2]), std::stoul(found[3])});
  }
  bool changed = false;
  for (const auto& [file, of_file] : places)
    for (const auto& [line, column] : of_file) changed |= change(file, line, column);
  if (changed) write();
  return changed;
}

void SourceOverlay::write() {
  std::string roots;
  for (const auto& [file, text] : texts_) {
    const std::string copy = workspace_.file(number_, source_, ".overlay" + std::to_string(roots.size()));
    std::ofstream(copy, std::ios::binary) << text;
    roots += (roots.empty() ? "" : ",\n") + ("{ \"type\": \"file\", \"name\": " + quoted(std::filesystem::absolute(file))) +
             ", \"external-contents\": " + quoted(std::filesystem::absolute(copy)) + " }";
  }
  path_ = workspace_.file(number_, source_, ".overlay");
  std::ofstream(path_) << "{ \"version\": 0, \"use-external-names\": false, \"roots\": [\n" << roots << "\n] }\n";
}

}  // namespace reprise::driver

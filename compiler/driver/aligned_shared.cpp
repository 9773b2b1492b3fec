#include "aligned_shared.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace reprise::driver {
namespace {

// Files in which an attribute stands where clang wants none.
std::set<std::string> files_complained_of(const std::string& messages) {
  static const std::regex complaint("(.*):[0-9]+:[0-9]+: error: an attribute list cannot appear here");
  std::set<std::string> files;
  std::istringstream lines(messages);
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, found, complaint)) files.insert(found[1]);
  return files;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string overlay_aligned_shared(const std::string& messages, const Workspace& workspace, std::size_t number,
                                   const std::string& source) {
  static const std::regex aligned(R"((\b__shared__\s+)alignas(\s*\())");
  std::string roots;
  for (const std::string& file : files_complained_of(messages)) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const std::string changed = std::regex_replace(text.str(), aligned, "$1_Alignas$2");
    if (changed == text.str()) continue;
    const std::string copy = workspace.file(number, source, ".aligned" + std::to_string(roots.size()));
    std::ofstream(copy, std::ios::binary) << changed;
    roots += (roots.empty() ? "" : ",\n") + ("{ \"type\": \"file\", \"name\": " + quoted(std::filesystem::absolute(file))) +
             ", \"external-contents\": " + quoted(std::filesystem::absolute(copy)) + " }";
  }
  if (roots.empty()) return "";
  const std::string overlay = workspace.file(number, source, ".overlay");
  std::ofstream(overlay) << "{ \"version\": 0, \"use-external-names\": false, \"roots\": [\n" << roots << "\n] }\n";
  return overlay;
}

}  // namespace reprise::driver

#include "gpu_architecture.h"

#include <algorithm>

#include "option_table.h"

namespace reprise_compiler::driver {
namespace {

constexpr int default_architecture = 75;
constexpr int known[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

// Returns the number in "sm_90a", "compute_90" or "lto_90", and records a suffix that asks for architecture-specific
// features.
int parse(Options& options, const std::string& name) {
  const auto underscore = name.find('_');
  const std::string prefix = name.substr(0, underscore);
  if (underscore == std::string::npos || (prefix != "sm" && prefix != "compute" && prefix != "lto"))
    throw UsageError("'" + name + "' is not the name of a GPU architecture");
  std::string digits = name.substr(underscore + 1);
  if (digits.ends_with("a") || digits.ends_with("f")) {
    options.architecture_specific = true;
    digits.pop_back();
  }
  if (digits.size() < 2 || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("'" + name + "' is not the name of a GPU architecture");
  return std::stoi(digits);
}

}  // namespace

void add_architecture(Options& options, const std::string& value) {
  // The CPU device reports compute capability 9.0.
  if (value == "native" || value == "all" || value == "all-major")
    options.architectures.push_back(90);
  else
    options.architectures.push_back(parse(options, value));
}

void add_code(Options& options, const std::string& value) { parse(options, value); }

void add_generate_code(Options& options, const std::string& value) {
  const auto begin = value.find("arch=");
  if (begin == std::string::npos) throw UsageError("'" + value + "' is not a value of -gencode: arch=...,code=...");
  const auto end = value.find(',', begin);
  options.architectures.push_back(
      parse(options, value.substr(begin + 5, end == std::string::npos ? end : end - begin - 5)));
}

int architecture(const Options& options) {
  if (options.architectures.empty()) return default_architecture;
  return *std::max_element(options.architectures.begin(), options.architectures.end());
}

std::string architecture_list(const Options& options) {
  std::vector<int> all = options.architectures;
  if (all.empty()) all.push_back(default_architecture);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::string text;
  for (int each : all) text += (text.empty() ? "" : ",") + std::to_string(each * 10);
  return text;
}

std::string list_architectures(const char* prefix) {
  std::string text;
  for (int each : known) text += prefix + std::to_string(each) + "\n";
  return text;
}

}  // namespace reprise_compiler::driver

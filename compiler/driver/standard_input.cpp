#include "standard_input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "option_table.h"

namespace reprise_compiler::driver {

bool is_standard_input(const std::string& path) { return path == "-"; }

std::string stem_of(const std::string& source) {
  return is_standard_input(source) ? "stdin" : std::filesystem::path(source).stem().string();
}

void keep_standard_input(Options& options, const Workspace& workspace) {
  const auto input = std::find_if(options.inputs.begin(), options.inputs.end(),
                                  [](const Input& each) { return is_standard_input(each.path); });
  if (input == options.inputs.end()) return;
  const auto number = static_cast<std::size_t>(input - options.inputs.begin());
  options.standard_input = workspace.file(number, input->path, ".text");
  std::ofstream file(options.standard_input, std::ios::binary);
  std::copy(std::istreambuf_iterator<char>(std::cin), {}, std::ostreambuf_iterator<char>(file));
  file.close();
  if (file.fail()) throw UsageError("cannot write '" + options.standard_input + "'");
}

std::string text_file(const Options& options, const std::string& source) {
  return is_standard_input(source) ? options.standard_input : source;
}

std::string standard_input_for(const Options& options, const std::string& source) {
  return is_standard_input(source) ? options.standard_input : "";
}

}  // namespace reprise_compiler::driver

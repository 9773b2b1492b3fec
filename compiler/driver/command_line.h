// From argv to Options: environment, response files, nvcc's ways of writing an option.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace reprise_compiler::driver {

// NVCC_PREPEND_FLAGS, the arguments, NVCC_APPEND_FLAGS; with @file and --options-file replaced by their
// contents.
std::vector<std::string> expand_arguments(int argc, char** argv);

// Throws UsageError. Inputs need not exist yet.
Options parse_command_line(const std::vector<std::string>& arguments);
// Throws UsageError where the options do not go together or an input is of no known kind. Apart from parsing,
// because -v prints where things are before anything is judged.
void check_command_line(const Options& options);

// Splits at white space as a shell does: quotes and backslashes protect.
std::vector<std::string> split_words(const std::string& text);

}  // namespace reprise_compiler::driver

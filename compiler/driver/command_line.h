// Turns argv into Options: reads environment variables, response files and nvcc's spellings of options.
#pragma once

#include <string>
#include <vector>

#include "options.h"

namespace reprise_compiler::driver {

// Returns the words of NVCC_PREPEND_FLAGS, the arguments and the words of NVCC_APPEND_FLAGS; @file and --options-file
// are replaced by the contents of the file.
std::vector<std::string> expand_arguments(int argc, char** argv);

// Throws UsageError for an unknown option or a bad value. Does not check that the inputs exist.
Options parse_command_line(const std::vector<std::string>& arguments);
// Throws UsageError for conflicting options and for inputs that are missing or of unknown kind. Separate from parsing
// because -v prints the toolchain's paths before the command line is checked.
void check_command_line(const Options& options);

// Splits at white space as a shell does, honouring quotes and backslashes.
std::vector<std::string> split_words(const std::string& text);

}  // namespace reprise_compiler::driver

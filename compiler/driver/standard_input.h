// The input "-", standard input. A .cu file is compiled in several passes, so the text is saved to a file that each
// program gets as its standard input. This way messages say <stdin>, #include "..." searches the current directory, and
// the object has no name of a temporary file.
#pragma once

#include <string>

#include "options.h"
#include "workspace.h"

namespace reprise_compiler::driver {

bool is_standard_input(const std::string& path);

// Returns the stem of the names of intermediate and output files.
std::string stem_of(const std::string& source);

// If "-" is an input, saves standard input to a file and sets options.standard_input to its path.
void keep_standard_input(Options& options, const Workspace& workspace);

// Returns the path of the file with the source's text.
std::string text_file(const Options& options, const std::string& source);

// Returns the file that a program compiling the source needs as its standard input; empty for none.
std::string standard_input_for(const Options& options, const std::string& source);

}  // namespace reprise_compiler::driver

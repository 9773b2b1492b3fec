// The input "-": what comes from standard input. A .cu file is read several times, so it is kept in a file that each
// program gets as its own standard input. Messages then say <stdin>, quotes include from the current directory, and no
// name of a temporary file gets into the object.
#pragma once

#include <string>

#include "options.h"
#include "workspace.h"

namespace reprise_compiler::driver {

bool is_standard_input(const std::string& path);

// What intermediate and finished files are called after.
std::string stem_of(const std::string& source);

// Reads it to its end, if it is an input at all, and notes where it is kept.
void keep_standard_input(Options& options, const Workspace& workspace);

// Where the text of a source can be read.
std::string text_file(const Options& options, const std::string& source);

// What a program that compiles the source has to get as its standard input; empty: nothing.
std::string standard_input_for(const Options& options, const std::string& source);

}  // namespace reprise_compiler::driver

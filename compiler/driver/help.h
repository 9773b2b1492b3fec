// The texts of --help, --version and -v.
#pragma once

#include <string>

#include "options.h"
#include "toolchain.h"

namespace reprise_compiler::driver {

const char* help_text();
const char* version_text();

// Returns the variables that nvcc prints before its commands under -v and --dryrun. CMake reads them.
std::string environment_text(const Options& options, const Toolchain& toolchain);

}  // namespace reprise_compiler::driver

// NVIDIA's own CUDA toolkit, where one is installed among the system's headers and libraries. What Reprise lacks is not
// there for a program, unless the user names the folder (-I, -isystem, -L): code for a GPU would otherwise be mixed in.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "toolchain.h"
#include "workspace.h"

namespace reprise_compiler::driver {

// Writes a view of the file system for clang (-ivfsoverlay) in which the system's include directories have no headers
// of a toolkit. Returns its path; empty when they hold none.
std::string hide_toolkit_headers(const Options& options, const Workspace& workspace);

// Throws UsageError for a library of NVIDIA's (-l) that is neither Reprise's nor in a folder the user named.
void check_libraries(const Options& options, const Toolchain& toolchain);

}  // namespace reprise_compiler::driver

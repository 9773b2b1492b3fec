// Hides a CUDA toolkit of NVIDIA's that is installed among the system's headers and libraries. A program gets headers
// and libraries that Reprise lacks only from a directory that the user names (-I, -isystem, -L); code for a GPU would
// otherwise get mixed in.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "toolchain.h"
#include "workspace.h"

namespace reprise_compiler::driver {

// Writes an overlay of the file system for clang (-ivfsoverlay) in which the system's include directories have no
// toolkit headers. Returns its path; empty when no overlay is needed.
std::string hide_toolkit_headers(const Options& options, const Workspace& workspace);

// Throws UsageError for an NVIDIA library (-l) that neither Reprise nor a directory named with -L has.
void check_libraries(const Options& options, const Toolchain& toolchain);

}  // namespace reprise_compiler::driver

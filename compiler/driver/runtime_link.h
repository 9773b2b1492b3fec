// Arguments of the link command that link Reprise's runtime into a program or shared library.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "toolchain.h"

namespace reprise_compiler::driver {

// `objects` are the other inputs of the link, `output` is its output file.
std::vector<std::string> runtime_link_words(const Options& options, const Toolchain& toolchain,
                                            const std::vector<std::string>& objects, const std::string& output);

}  // namespace reprise_compiler::driver

// How Reprise's runtime comes to a program or shared library: the words of the link command that name it.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "toolchain.h"

namespace reprise_compiler::driver {

// `objects` are the other inputs of the link, `output` is the file it makes.
std::vector<std::string> runtime_link_words(const Options& options, const Toolchain& toolchain,
                                            const std::vector<std::string>& objects, const std::string& output);

}  // namespace reprise_compiler::driver

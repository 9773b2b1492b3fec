// Device printf: the text of one call.
#pragma once

#include <string>

namespace reprise_runtime::device {

// Appends what `format` says. The arguments lie in memory one after the other, each at its natural alignment, as clang
// packs them for vprintf. Returns, as CUDA does, how many arguments were used; -1 for no format.
int append_formatted(std::string& text, const char* format, const void* packed_arguments);

}  // namespace reprise_runtime::device

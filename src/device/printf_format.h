// Formats one call of device printf.
#pragma once

#include <string>

namespace reprise_runtime::device {

// Appends the formatted text. The arguments lie in memory one after the other, each at its natural alignment, as clang
// packs them for vprintf. Returns, as CUDA does, the number of arguments used; -1 if the format is null.
int append_formatted(std::string& text, const char* format, const void* packed_arguments);

}  // namespace reprise_runtime::device

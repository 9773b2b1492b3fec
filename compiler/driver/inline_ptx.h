// Rewrites inline PTX that nvcc accepts and clang rejects.
#pragma once

#include <string>

namespace reprise_compiler::driver {

// nvcc accepts a '%' that begins no operand: asm("mov.u64 %0, %globaltimer;" : "=l"(t)). Clang wants it doubled. This
// is its message, which tells the driver that a source needs `double_percents`.
inline constexpr const char* clang_percent_message = "invalid % escape in inline assembly string";

// Returns `preprocessed` with every such '%' doubled. Line numbers do not change.
std::string double_percents(const std::string& preprocessed);

}  // namespace reprise_compiler::driver

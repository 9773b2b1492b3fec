// Inline PTX as nvcc takes it, made acceptable to clang.
#pragma once

#include <string>

namespace reprise_compiler::driver {

// nvcc leaves a '%' that begins no operand as it is: asm("mov.u64 %0, %globaltimer;" : "=l"(t)). Clang wants
// it doubled and says so with this message, by which the driver knows that a source needs `double_percents`.
inline constexpr const char* clang_percent_message = "invalid % escape in inline assembly string";

// `preprocessed` with every such '%' doubled. Line numbers do not change.
std::string double_percents(const std::string& preprocessed);

}  // namespace reprise_compiler::driver

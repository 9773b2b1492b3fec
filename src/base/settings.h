// Environment variables that configure the runtime. A value that cannot be used is reported once on stderr, and the
// default applies.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace reprise_runtime {

// Says on stderr that the setting is ignored, and why.
[[gnu::cold]] void report_bad_setting(const char* name, std::string_view value, const char* expected);

// A whole number from `least` to `most`; nothing if the variable is not set, empty or wrong.
std::optional<long> number_setting(const char* name, long least, long most);
// 1 or 0.
bool switch_setting(const char* name);
// A number of bytes, with K, M, G or T behind it or not.
std::optional<std::size_t> bytes_setting(const char* name);

}  // namespace reprise_runtime

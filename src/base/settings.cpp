#include "base/settings.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/machine.h"

namespace reprise_runtime {
namespace {

// Null when it is not set, or empty.
const char* value_of(const char* name) {
  const char* text = std::getenv(name);
  return text && *text ? text : nullptr;
}

}  // namespace

void report_bad_setting(const char* name, std::string_view value, const char* expected) {
  std::fprintf(stderr, "reprise: %s=%.*s is ignored: it must be %s\n", name, static_cast<int>(value.size()),
               value.data(), expected);
}

std::optional<long> number_setting(const char* name, long least, long most) {
  const char* text = value_of(name);
  if (!text) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long number = std::strtol(text, &end, 10);
  if (errno == 0 && *end == '\0' && number >= least && number <= most) return number;
  const std::string expected = "a number from " + std::to_string(least) + " to " + std::to_string(most);
  report_bad_setting(name, text, expected.c_str());
  return std::nullopt;
}

bool switch_setting(const char* name) { return number_setting(name, 0, 1).value_or(0) != 0; }

std::optional<std::size_t> bytes_setting(const char* name) {
  const char* text = value_of(name);
  if (!text) return std::nullopt;
  if (auto bytes = parse_bytes(text)) return bytes;
  report_bad_setting(name, text, "a number of bytes such as 512M or 4G");
  return std::nullopt;
}

}  // namespace reprise_runtime

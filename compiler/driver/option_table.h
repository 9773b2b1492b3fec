// nvcc's options and what each of them does here: one row an option.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "options.h"

namespace reprise_compiler::driver {

// The command line cannot be carried out; what() is the line the user reads.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Arguments { none, one, list };  // list: separated by commas, given to `apply` one by one

struct OptionRow {
  std::string_view long_name;   // without the two dashes
  std::string_view short_name;  // without the dash; may be empty
  Arguments arguments;
  void (*apply)(Options&, const std::string& value);
  bool glued = false;  // the value may follow the short name directly: -Idir
};

// The row for an option's name without its dashes; null when nvcc has no such option.
const OptionRow* find_option(std::string_view name, bool two_dashes);
// The row whose short name `text` starts with and whose value may be glued to it; the longest such name.
const OptionRow* find_glued_option(std::string_view text);

}  // namespace reprise_compiler::driver

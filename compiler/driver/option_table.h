// The table of nvcc's options and their effects.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "options.h"

namespace reprise_compiler::driver {

// The command line is wrong. what() is the message for the user.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Arguments { none, one, list };  // list: separated by commas; `apply` gets one item at a time

struct OptionRow {
  std::string_view long_name;   // without the two dashes
  std::string_view short_name;  // without the dash; may be empty
  Arguments arguments;
  void (*apply)(Options&, const std::string& value);
  bool glued = false;  // the value may follow the short name directly: -Idir
};

// Returns the row of an option's name without its dashes; null when nvcc has no such option.
const OptionRow* find_option(std::string_view name, bool two_dashes);
// Returns the glued option with the longest short name that `text` starts with; null when there is none.
const OptionRow* find_glued_option(std::string_view text);

}  // namespace reprise_compiler::driver

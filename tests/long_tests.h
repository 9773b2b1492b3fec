// How often a random test repeats itself. REPRISE_LONG_TESTS in the environment decides:
//   not set    `usual`: make test, where all together take seconds
//   full       `full`: what a change to the runtime's innermost parts should survive; may take many minutes
//   else       `longer`: make check, where all together take a minute
#pragma once

#include <cstdlib>
#include <string_view>

inline int repetitions(int usual, int longer, int full) {
  const char* const asked = std::getenv("REPRISE_LONG_TESTS");
  if (!asked || !*asked) return usual;
  return asked == std::string_view("full") ? full : longer;
}

// Make rules that say what a file was made from.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

// The prerequisites of the first rule in make's syntax.
std::vector<std::string> parse_prerequisites(const std::string& rule);

struct Rule {
  std::vector<std::string> targets;        // already quoted for make, as -MT takes them
  std::vector<std::string> prerequisites;  // the source first
  bool phony_targets = false;              // an empty rule for each header, so that a removed one stops nothing
};
std::string format_rule(const Rule& rule);

// As -MQ quotes a target.
std::string quote_for_make(const std::string& path);

}  // namespace reprise_compiler::driver

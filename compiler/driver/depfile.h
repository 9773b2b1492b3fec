// Dependency files: make rules that list the sources and headers of an object.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

// Returns the prerequisites of the first rule in a makefile.
std::vector<std::string> parse_prerequisites(const std::string& rule);

struct Rule {
  std::vector<std::string> targets;        // already quoted for make, as given to -MT
  std::vector<std::string> prerequisites;  // the source is the first
  bool phony_targets = false;              // -MP: add an empty rule for each header, so that make accepts its removal
};
std::string format_rule(const Rule& rule);

// Quotes a path as -MQ does.
std::string quote_for_make(const std::string& path);

}  // namespace reprise_compiler::driver

#include "diagnose/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>

namespace reprise_runtime::diagnose {

std::string demangled(const char* name) {
  // Without the prefix of mangled names, __cxa_demangle takes "i" for the type int.
  if (std::strncmp(name, "_Z", 2) != 0) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

}  // namespace reprise_runtime::diagnose

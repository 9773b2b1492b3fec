#include "memory/graph/check_mode.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string_view>

#include "base/settings.h"

namespace reprise_runtime::memory {

bool checks_memory() {
  static const bool asked = [] {
    const char* text = std::getenv("REPRISE_CHECK");
    bool memory = false;
    for (std::string_view left = text ? text : ""; !left.empty();) {
      const std::size_t comma = left.find(',');
      const std::string_view kind = left.substr(0, comma);
      if (kind == "memory") {
        memory = true;
      } else {
        report_bad_setting("REPRISE_CHECK", kind, "a list of kinds of checks; there is one, memory");
      }
      left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
    }
    return memory;
  }();
  return asked;
}

void protect(std::uintptr_t start, std::size_t bytes, bool accessible) {
  static_cast<void>(mprotect(reinterpret_cast<void*>(start), bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE));
}

}  // namespace reprise_runtime::memory

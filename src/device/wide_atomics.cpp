// Compare-and-swap of 16 bytes for device code. It is a library call because clang for a GPU target has no such
// instruction.
#include <cstdint>

#include "base/export.h"

extern "C" REPRISE_EXPORT bool __reprise_compare_exchange_16(void* address, void* expected, const void* desired) {
  auto* before = static_cast<std::uint64_t*>(expected);
  const auto* after = static_cast<const std::uint64_t*>(desired);
  bool exchanged;
  __asm__ volatile("lock cmpxchg16b %1"
                   : "=@ccz"(exchanged), "+m"(*static_cast<unsigned __int128*>(address)), "+a"(before[0]),
                     "+d"(before[1])
                   : "b"(after[0]), "c"(after[1])
                   : "memory");
  return exchanged;
}

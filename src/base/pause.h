// Tells the core that this is a spin loop: saves power and the sibling hyperthread's time.
#pragma once

namespace reprise_runtime {

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("yield");
#endif
}

}  // namespace reprise_runtime

// What kernels have printed and the host has not shown yet. As on a GPU it comes out when the host synchronises, in
// the order of the calls; unlike there, a full buffer comes out early instead of losing its oldest lines, and what is
// left comes out when the program ends.
#pragma once

#include <cstddef>

namespace reprise::device {

// Called by every API function that waits for work. Costs one load when nothing was printed.
void flush_printf();

// How much is kept before it comes out early (cudaLimitPrintfFifoSize).
void set_printf_buffer_size(std::size_t bytes);

}  // namespace reprise::device

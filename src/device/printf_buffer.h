// What kernels have printed and the host has not shown yet. As on a GPU it comes out when the host synchronises, in
// the order of the calls; unlike there, a full buffer comes out early instead of losing its oldest lines, and what is
// left comes out when the program ends.
#pragma once

namespace reprise_runtime::device {

// Happens at the end of every wait for work; what finds out that work is done without waiting calls it itself.
// Costs one load when nothing was printed.
void flush_printf();

}  // namespace reprise_runtime::device

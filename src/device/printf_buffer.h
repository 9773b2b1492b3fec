// The buffer of device printf. As on a GPU, it is written out when the host synchronizes, in the order of the calls.
// Unlike there, a full buffer is written out early instead of losing its oldest lines, and the rest when the program
// ends.
//
// Thread safety: every function may be called from any thread.
#pragma once

namespace reprise_runtime::device {

// Writes the buffer out. Every wait calls it at its end, and so do calls that find work done without waiting. Costs one
// load if the buffer is empty.
void flush_printf();

}  // namespace reprise_runtime::device

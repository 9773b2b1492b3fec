// Host state that is restored after a warm-up or a discarded capture.
#pragma once

#include <functional>

namespace reprise {

// Whether this thread is in a warm-up, or its current stream is capturing.
bool may_be_undone();
// Registers `undo`, which restores the present state of `what` and keeps it alive. Only the first call for the same
// object counts.
void undo_later(const void* what, std::function<void()> undo);

}  // namespace reprise

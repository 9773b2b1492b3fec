// State of the host that work changes, and that is as before after a warm-up or a capture that was thrown away.
#pragma once

#include <functional>

namespace reprise {

// Whether this thread is in a warm-up, or its current stream in a capture.
bool may_be_undone();
// `undo` puts `what`, which it keeps alive, back to how it is now. Of several for the same the first counts.
void undo_later(const void* what, std::function<void()> undo);

}  // namespace reprise

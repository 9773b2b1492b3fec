#include "capture/undo.h"

#include "capture/capture_context.h"
#include "capture/warm_up.h"

namespace reprise {

bool may_be_undone() { return WarmUp::current() || capture_context_of(current_stream()); }

void undo_later(const void* what, std::function<void()> undo) {
  if (WarmUp* warm_up = WarmUp::current()) {
    warm_up->undo_later(what, std::move(undo));
  } else if (auto context = capture_context_of(current_stream())) {
    context->undo_later(what, std::move(undo));
  }
}

}  // namespace reprise

#include "capture/undo.h"

#include "capture/rehearsal.h"
#include "capture/session.h"

namespace reprise {

bool may_be_undone() { return Rehearsal::current() || session_of(current_stream()); }

void undo_later(const void* what, std::function<void()> undo) {
  if (Rehearsal* rehearsal = Rehearsal::current()) {
    rehearsal->undo_later(what, std::move(undo));
  } else if (auto session = session_of(current_stream())) {
    session->undo_later(what, std::move(undo));
  }
}

}  // namespace reprise

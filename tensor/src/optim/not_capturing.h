#pragma once

#include <reprise/capture.h>
#include <reprise/current_stream.h>
#include <reprise/error.h>

namespace reprise::optim {

// What is made inside a capture would begin anew on each replay.
inline void check_not_capturing(const char* what) {
  check(!is_capturing(current_stream()), what,
        " made while the current stream is capturing: each replay would set what it remembers back; make it before");
}

}  // namespace reprise::optim

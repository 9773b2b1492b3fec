#pragma once

#include <reprise/capture.h>
#include <reprise/current_stream.h>
#include <reprise/error.h>

namespace reprise::optim {

// Throws during a capture: each replay would initialise the state again.
inline void check_not_capturing(const char* what) {
  check(!is_capturing(current_stream()), what,
        " made while the current stream is capturing: each replay would reset its state; create it before the capture");
}

}  // namespace reprise::optim

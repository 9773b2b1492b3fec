#pragma once

#include <reprise/current_stream.h>
#include <reprise/error.h>

namespace reprise::optim {

// What is made inside a capture would begin anew on each replay.
inline void check_not_capturing(const char* what) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(current_stream(), &status), "asking whether the current stream is capturing");
  check(status == cudaStreamCaptureStatusNone, what,
        " made while the current stream is capturing: each replay would set what it remembers back; make it before");
}

}  // namespace reprise::optim

#include <reprise/current_stream.h>

namespace reprise {
namespace {
thread_local cudaStream_t current = nullptr;
thread_local StreamGuard* last = nullptr;
}  // namespace

cudaStream_t current_stream() { return current; }

StreamGuard::StreamGuard(cudaStream_t stream) : stream_(stream), before_(last) {
  last = this;
  current = stream;
}

// Guards need not be destroyed in reverse order: one made within a capture may outlive that of the capture.
StreamGuard::~StreamGuard() {
  StreamGuard** at = &last;
  while (*at && *at != this) at = &(*at)->before_;
  if (*at) *at = before_;
  current = last ? last->stream_ : nullptr;
}

void StreamGuard::replace(cudaStream_t stream, cudaStream_t by) {
  for (StreamGuard* guard = last; guard; guard = guard->before_) {
    if (guard->stream_ == stream) guard->stream_ = by;
  }
  current = last ? last->stream_ : nullptr;
}

}  // namespace reprise

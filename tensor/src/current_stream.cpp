#include <reprise/current_stream.h>

namespace reprise {
namespace {
thread_local cudaStream_t current = nullptr;
}

cudaStream_t current_stream() { return current; }

StreamGuard::StreamGuard(cudaStream_t stream) : before_(current) { current = stream; }
StreamGuard::~StreamGuard() { current = before_; }

}  // namespace reprise

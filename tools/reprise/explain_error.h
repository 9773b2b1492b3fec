// reprise explain ERROR: the meaning of a CUDA error code and the usual remedies.
#pragma once

#include <string>

namespace reprise_tool {

// `error` is a number or a name such as cudaErrorStreamCaptureUnsupported. Returns false if it is neither.
bool explain_error(const std::string& error);

}  // namespace reprise_tool

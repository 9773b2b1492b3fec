// reprise explain ERROR: what an error code of CUDA means and what usually helps.
#pragma once

#include <string>

namespace reprise_tool {

// `error` is a number or a name such as cudaErrorStreamCaptureUnsupported. Returns false if it is neither.
bool explain_error(const std::string& error);

}  // namespace reprise_tool

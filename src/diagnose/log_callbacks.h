// The registered callbacks of the log.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <string_view>

#include "diagnose/log.h"

namespace reprise_runtime::diagnose {

// Calls every registered callback, unless the calling thread is inside one.
void call_log_callbacks(cudaLogLevel level, std::string_view message);

}  // namespace reprise_runtime::diagnose

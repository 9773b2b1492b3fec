// Who wants to hear of messages in the log.
#pragma once

#include <string_view>

#include "diagnose/log.h"

namespace reprise_runtime::diagnose {

// Calls every registered callback, unless the calling thread is in one already.
void call_log_callbacks(cudaLogLevel level, std::string_view message);

}  // namespace reprise_runtime::diagnose

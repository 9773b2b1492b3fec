// Messages for the program's user that need no setting to be seen: on stderr and in the log. REPRISE_FAULTS=log keeps
// them off stderr.
//
// Thread safety: may be called from any thread.
#pragma once

#include <driver_types.h>

#include <string>

namespace reprise_runtime::diagnose {

[[gnu::cold]] void tell(cudaLogLevel level, const std::string& words);

}  // namespace reprise_runtime::diagnose

// Ends a kernel for a reason that the runtime finds itself.
#pragma once

namespace reprise_runtime::kernel {

// As __trap() does, with words for the report: "the threads of the block wait for each other". The text must stay valid
// until the kernel has ended.
[[noreturn]] void trap_because(const char* reason);

}  // namespace reprise_runtime::kernel

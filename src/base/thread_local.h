// Thread-local variables at a fixed offset from the thread pointer: one instruction to reach, also inside the shared
// library, where the usual model calls a function. All of them together must stay small (they come out of the few
// hundred bytes that the loader reserves for libraries opened late), so large state hangs off a pointer.
#pragma once

#define REPRISE_THREAD_LOCAL constinit thread_local __attribute__((tls_model("initial-exec")))

// Calls that exist so that programs link, and that refuse every use. One row each: the call, its parameters, and their
// names for the log. The file's WHY is the reason that the log gives.
#pragma once

#include "driver/entry/entry.h"

#define UNSUPPORTED(name, parameters, names)                                                                  \
  CUresult name parameters {                                                                                  \
    return reprise_runtime::driver::entry_initialised(                                                        \
        [] { return reprise_runtime::diagnose::refuse(cudaErrorNotSupported, "%s", WHY); }, ARGUMENTS names); \
  }

// Calls whose arguments CUDA checks first: `check` is an error, or success.
#define UNSUPPORTED_AFTER(name, parameters, names, check)                             \
  CUresult name parameters {                                                          \
    return reprise_runtime::driver::entry_initialised(                                \
        [&] {                                                                         \
          if (cudaError_t status = check; status != cudaSuccess) return status;       \
          return reprise_runtime::diagnose::refuse(cudaErrorNotSupported, "%s", WHY); \
        },                                                                            \
        ARGUMENTS names);                                                             \
  }

// Calls with a second name for programs whose stream 0 is the thread's own. The version of the name is known before the
// ending is appended.
#define UNSUPPORTED_PTDS(name, parameters, names) UNSUPPORTED_WITH_ENDING(name, _ptds, parameters, names)
#define UNSUPPORTED_PTSZ(name, parameters, names) UNSUPPORTED_WITH_ENDING(name, _ptsz, parameters, names)
#define UNSUPPORTED_WITH_ENDING(name, ending, parameters, names) UNSUPPORTED_TWICE(name, ending, parameters, names)
#define UNSUPPORTED_TWICE(name, ending, parameters, names) \
  UNSUPPORTED(name, parameters, names)                     \
  REPRISE_EXPORT UNSUPPORTED(name##ending, parameters, names)

// Turns a mangled C++ name into the one that its author wrote. Every name of a kernel or a function that a person reads
// (log, trace, drawing, error) comes through here.
//
// Thread safety: may be called from any thread.
#pragma once

#include <string>

namespace reprise_runtime::diagnose {

// "_Z4fillPii" becomes "fill(int*, int)". Returns any other text unchanged.
std::string demangled(const char* name);

}  // namespace reprise_runtime::diagnose

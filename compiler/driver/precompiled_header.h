// A header read once for many sources. It is three files: FILE and FILE.device, what the host pass and the device
// pass made of it, and FILE.options: its path, and the options that a header can see. A source that uses it must have
// the same ones. Clang would take other macros and other search paths silently, and the header would mean what it meant
// when it was precompiled; what else may differ (a header has changed, another compiler, another processor) clang
// refuses.
#pragma once

#include <string>

#include "options.h"

namespace reprise_compiler::driver {

inline std::string device_half(const std::string& precompiled) { return precompiled + ".device"; }

// Writes FILE.options; false when that cannot be.
bool record_precompiled_options(const Options& options, const std::string& header, const std::string& precompiled);
// The header's path.
std::string precompiled_from(const std::string& precompiled);

// Throws UsageError when a part of options.precompiled is not there, and when it was made with other options,
// with the first that differs.
void check_precompiled_header(const Options& options);

// What to add to clang's messages when it refuses `precompiled`; empty when they are about something else.
std::string explain_refused_header(const std::string& messages, const std::string& precompiled);

}  // namespace reprise_compiler::driver

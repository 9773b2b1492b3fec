// Precompiled headers (--create-pch, --use-pch). One consists of three files: FILE and FILE.device, the output of the
// host pass and of the device pass, and FILE.options, the header's path and the options that affect its contents. A
// source must be compiled with the same options. The driver checks them, because clang silently accepts different
// macros and search paths and keeps the header's old meaning. Clang itself rejects other mismatches: a changed header,
// another compiler, another processor.
#pragma once

#include <string>

#include "options.h"

namespace reprise_compiler::driver {

inline std::string device_half(const std::string& precompiled) { return precompiled + ".device"; }

// Writes FILE.options. Returns false when that fails.
bool record_precompiled_options(const Options& options, const std::string& header, const std::string& precompiled);
// Returns the path of the header that was precompiled.
std::string precompiled_from(const std::string& precompiled);

// Throws UsageError when a file of options.precompiled is missing, or when it was made with other options; the message
// names the first difference.
void check_precompiled_header(const Options& options);

// Returns an explanation to print after clang's messages if they reject `precompiled`, else nothing.
std::string explain_refused_header(const std::string& messages, const std::string& precompiled);

}  // namespace reprise_compiler::driver

#include "diagnose/tell.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/settings.h"
#include "diagnose/log.h"

namespace reprise_runtime::diagnose {
namespace {

bool writes_to_stderr() {
  static const bool writes = [] {
    const char* text = std::getenv("REPRISE_FAULTS");
    if (!text || !*text || std::strcmp(text, "stderr") == 0) return true;
    if (std::strcmp(text, "log") == 0) return false;
    report_bad_setting("REPRISE_FAULTS", text, "stderr or log");
    return true;
  }();
  return writes;
}

// The log itself may go to stderr; then the message is there already.
bool log_is_on_stderr() {
  const char* name = std::getenv("CUDA_LOG_FILE");
  return name && std::strcmp(name, "stderr") == 0;
}

}  // namespace

void tell(cudaLogLevel level, const std::string& words) {
  Log::instance().write(level, words);
  if (!writes_to_stderr() || log_is_on_stderr()) return;
  std::fflush(stdout);  // what the program printed before comes first
  std::fprintf(stderr, "reprise: %s\n", words.c_str());
}

}  // namespace reprise_runtime::diagnose

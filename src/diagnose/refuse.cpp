#include "diagnose/refuse.h"

#include <cstdarg>
#include <cstdio>

#include "diagnose/error_text.h"
#include "diagnose/log.h"

namespace reprise::diagnose {
namespace {

struct Reason {
  cudaError_t code = cudaSuccess;
  std::string words;
  std::string details;
};
thread_local Reason reason;

}  // namespace

cudaError_t refuse(cudaError_t code, const char* format, ...) {
  char words[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  reason = {code, words, {}};
  return code;
}

cudaError_t refuse_in_detail(cudaError_t code, std::string words, std::string details) {
  reason = {code, std::move(words), std::move(details)};
  return code;
}

void call_failed(const char* call, cudaError_t code) {
  std::string message = std::string(call) + ": ";
  // Words left by a failure that some layer recovered from belong to another error.
  if (reason.code == code) message += reason.words + "; ";
  message += std::string("returns ") + error_name(code) + " (" + error_text(code) + ")";
  if (reason.code == code) message += reason.details;
  reason = {};
  Log::instance().write(cudaLogLevelError, message);
}

}  // namespace reprise::diagnose

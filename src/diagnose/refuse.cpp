#include "diagnose/refuse.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

#include "diagnose/error_text.h"
#include "diagnose/log.h"

namespace reprise_runtime::diagnose {
namespace {

struct Reason {
  cudaError_t code = cudaSuccess;
  std::string words;
  std::string details;
  std::function<void(const std::string&)> told;
};
thread_local Reason reason;

}  // namespace

cudaError_t refuse(cudaError_t code, const char* format, ...) {
  char words[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  reason = {code, words, {}, {}};
  return code;
}

cudaError_t refuse_of(cudaError_t code, const char* format, ...) {
  char of[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(of, sizeof of, format, arguments);
  va_end(arguments);
  if (reason.code != code) reason = {code, {}, {}, {}};
  reason.words = reason.words.empty() ? of : std::string(of) + ": " + reason.words;
  return code;
}

cudaError_t refuse_in_detail(cudaError_t code, std::string words, std::string details,
                             std::function<void(const std::string&)> told) {
  reason = {code, std::move(words), std::move(details), std::move(told)};
  return code;
}

bool has_reason(cudaError_t code) { return reason.code == code && !reason.words.empty(); }

std::string reason_of(cudaError_t code) { return has_reason(code) ? reason.words : std::string(); }

void call_failed(const char* call, const std::string& arguments, cudaError_t code) {
  // Words left by a failure that some layer recovered from belong to another error.
  const Reason given = std::exchange(reason, {});
  const bool explained = given.code == code;
  // Which of its two entry points a program calls is no matter of its source.
  std::string name = call;
  if (name.ends_with("_ptsz") || name.ends_with("_ptds")) name.resize(name.size() - 5);
  const std::string whole = name + "(" + arguments + ")";
  if (explained && given.told) given.told(whole);

  std::string message = name + ": ";
  if (explained) message += given.words + "; ";
  message += std::string("returns ") + error_name(code) + " (" + error_text(code) + ")";
  message += "\n  call: " + whole;
  if (explained) message += given.details;
  Log::instance().write(cudaLogLevelError, message);
}

}  // namespace reprise_runtime::diagnose

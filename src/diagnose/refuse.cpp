#include "diagnose/refuse.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

#include "diagnose/driver_result.h"
#include "diagnose/error_text.h"
#include "diagnose/log.h"
#include "diagnose/source_name.h"

namespace reprise_runtime::diagnose {
namespace {

struct Reason {
  cudaError_t code = cudaSuccess;
  std::string words;
  std::string details;
  std::function<void(const std::string&)> on_logged;
};
thread_local Reason reason;

// A call of the driver API returns the driver's code.
const char* returned_name(const std::string& call, cudaError_t code) {
  const bool driver = call.starts_with("cu") && !call.starts_with("cuda");
  return driver ? result_name(result_of(code)) : error_name(code);
}

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
                             std::function<void(const std::string&)> on_logged) {
  reason = {code, std::move(words), std::move(details), std::move(on_logged)};
  return code;
}

bool has_reason(cudaError_t code) { return reason.code == code && !reason.words.empty(); }

std::string reason_of(cudaError_t code) { return has_reason(code) ? reason.words : std::string(); }

void call_failed(const char* call, const std::string& arguments, cudaError_t code) {
  // A reason left by an error that some layer recovered from belongs to another code.
  const Reason given = std::exchange(reason, {});
  const bool explained = given.code == code;
  const std::string name(source_name(call));
  const std::string whole = name + "(" + arguments + ")";
  if (explained && given.on_logged) given.on_logged(whole);

  std::string message = name + ": ";
  if (explained) message += given.words + "; ";
  message += std::string("returns ") + returned_name(name, code) + " (" + error_text(code) + ")";
  message += "\n  call: " + whole;
  if (explained) message += given.details;
  Log::instance().write(cudaLogLevelError, message);
}

}  // namespace reprise_runtime::diagnose

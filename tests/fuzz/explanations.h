// Checks that each refused call explains itself in the log: the entry names the call, says why, and lists the
// arguments.
//
//   Explanations explanations;
//   explanations.begin_call();
//   cudaError_t status = cudaMalloc(nullptr, 4);
//   explanations.check("cudaMalloc", 2, status);   // a call of 2 parameters
//   explanations.print();                          // calls that did not explain themselves
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <thread>

namespace fuzz {

class Explanations {
 public:
  Explanations() {
    const cudaError_t status = cudaLogsRegisterCallback(
        [](void* self, cudaLogLevel, char* message, size_t length) {
          auto& explanations = *static_cast<Explanations*>(self);
          if (std::this_thread::get_id() != explanations.caller_) return;  // a warning about queued work
          explanations.message_.assign(message, length);
        },
        this, &callback_);
    if (status != cudaSuccess) std::printf("the log takes no callback\n");
  }
  Explanations(const Explanations&) = delete;
  Explanations& operator=(const Explanations&) = delete;
  ~Explanations() { static_cast<void>(cudaLogsUnregisterCallback(callback_)); }

  void begin_call() { message_.clear(); }

  void check(std::string_view call, size_t parameters, cudaError_t status) {
    // These two return what an earlier call left behind; not ready is an answer.
    if (status == cudaSuccess || status == cudaErrorNotReady) return;
    if (call == "cudaGetLastError" || call == "cudaPeekAtLastError") return;
    const char* lacks = missing(call, parameters);
    if (lacks) ++unexplained_[std::string(call) + ": " + lacks + " (" + cudaGetErrorName(status) + ")"];
    (lacks ? silent_ : explained_)[std::string(call)]++;
  }

  // Returns the number of calls with an unexplained refusal.
  size_t print() const {
    for (const auto& [what, times] : unexplained_) std::printf("%s, %d times\n", what.c_str(), times);
    size_t always = 0;
    for (const auto& [call, times] : explained_) always += !silent_.contains(call);
    std::printf("%zu entry points explained each of their refusals, %zu did not\n", always, silent_.size());
    return silent_.size();
  }

 private:
  // Names what the log entry of a refusal lacks; null if it is complete.
  const char* missing(std::string_view call, size_t parameters) const {
    // The log leaves the version out of a name.
    const bool versioned = call.size() > 3 && call.substr(call.size() - 3, 2) == "_v";
    const std::string name(call.substr(0, call.size() - (versioned ? 3 : 0)));
    if (message_.empty()) return "no log entry";
    if (!message_.starts_with(name + ": ")) return "an entry that does not name the call";
    if (message_.starts_with(name + ": returns ")) return "no reason";
    const size_t list = message_.find("\n  call: " + name + "(");
    if (list == std::string::npos) return "no arguments";
    if (parameters > 0 && message_[list + 10 + name.size()] == ')') return "an empty list of arguments";
    return nullptr;
  }

  cudaLogsCallbackHandle callback_ = nullptr;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::string message_;  // the latest of the thread that calls
  std::map<std::string, int> unexplained_, silent_, explained_;
};

}  // namespace fuzz

#include "explain_error.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include "installation.h"
#include "runtime.h"

namespace reprise_tool {
namespace {

struct Advice {
  cudaError_t error;
  const char* text;
};

constexpr const char* log_advice =
    "Run the program with `reprise explain -- PROGRAM`: the log names the call, its arguments and the reason.";

constexpr std::array advices{
    Advice{cudaErrorMemoryAllocation,
           "The device's memory is used up. `reprise run --memory SIZE` gives a device more or less of the machine's."},
    Advice{cudaErrorInvalidConfiguration,
           "A grid or block of the launch is outside the device's limits: at most 1024 threads in a block."},
    Advice{cudaErrorInvalidDeviceFunction,
           "The function is no kernel of this program, or its file was compiled without reprise-nvcc."},
    Advice{cudaErrorNoDevice, "CUDA_VISIBLE_DEVICES hides every device."},
    Advice{cudaErrorInvalidResourceHandle,
           "A stream, event or graph was destroyed before the call, or belongs to another device."},
    Advice{cudaErrorIllegalAddress,
           "A kernel accessed memory that is not there. The device stays unusable until the process ends. Compile with "
           "-lineinfo to see the line."},
    Advice{cudaErrorAssert, "An assert in a kernel failed; its text is on stderr."},
    Advice{cudaErrorLaunchFailure, "A kernel ended with a trap or a fault. Compile with -g and run it in gdb."},
    Advice{
        cudaErrorCooperativeLaunchTooLarge,
        "A cooperative grid has more blocks than can run at once: ask cudaOccupancyMaxActiveBlocksPerMultiprocessor."},
    Advice{cudaErrorNotSupported,
           "Reprise does not have this call or this case of it; docs/api.md has the state of each call."},
    Advice{
        cudaErrorStreamCaptureUnsupported,
        "The call cannot become part of a graph, for instance a synchronization. Call it before or after the capture."},
    Advice{
        cudaErrorStreamCaptureInvalidated,
        "An earlier call broke this capture. The earlier error has the reason; end the capture and begin a new one."},
    Advice{cudaErrorStreamCaptureMerge, "A stream would join two captures. Let each capture end before they meet."},
    Advice{cudaErrorStreamCaptureUnmatched,
           "cudaStreamEndCapture was called on a stream that did not begin the capture. End it on the stream that "
           "began it."},
    Advice{cudaErrorStreamCaptureUnjoined,
           "A stream that was forked in the capture was not joined: record an event on it and let the first stream "
           "wait for it."},
    Advice{cudaErrorStreamCaptureIsolation,
           "Captured work would depend on work outside the capture. Record the event inside the capture, or wait "
           "before it."},
    Advice{cudaErrorStreamCaptureImplicit,
           "The legacy default stream would wait for the capture. Use streams made with cudaStreamNonBlocking, or "
           "compile with "
           "--default-stream per-thread."},
    Advice{cudaErrorCapturedEvent, "The event was recorded in a capture and has no time or state outside of it."},
    Advice{cudaErrorStreamCaptureWrongThread,
           "Another thread began the capture, not in the mode cudaStreamCaptureModeRelaxed. End it on the thread that "
           "began it."},
    Advice{cudaErrorGraphExecUpdateFailure,
           "The new graph differs from the executable one in more than parameters. The result of cudaGraphExecUpdate "
           "names the "
           "node; instantiate again."},
};

std::optional<cudaError_t> find_error(const Runtime& runtime, const std::string& error) {
  int number = -1;
  const auto [end, failed] = std::from_chars(error.data(), error.data() + error.size(), number);
  const bool is_number = failed == std::errc() && end == error.data() + error.size();
  for (int code = 0; code < 1000; ++code) {
    const std::string_view name = runtime.error_name(static_cast<cudaError_t>(code));
    if (name.starts_with("cuda") && (is_number ? code == number : name == error)) return static_cast<cudaError_t>(code);
  }
  return std::nullopt;
}

}  // namespace

bool explain_error(const std::string& error) {
  if (error.find('/') != std::string::npos) return false;
  const Runtime runtime(find_installation().runtime);
  const std::optional<cudaError_t> code = find_error(runtime, error);
  if (!code) return false;
  std::printf("%s (%d): %s\n", runtime.error_name(*code), static_cast<int>(*code), runtime.error_text(*code));
  for (const Advice& advice : advices)
    if (advice.error == *code) std::printf("%s\n", advice.text);
  if (*code != cudaSuccess) std::printf("%s\n", log_advice);
  return true;
}

}  // namespace reprise_tool

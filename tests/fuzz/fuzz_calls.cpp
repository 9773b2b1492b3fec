// Calls every entry point of the runtime and of the driver API, mixed and in random order, with random, null, freed and
// invented arguments.
//
//   fuzz_calls [--calls N] [--seed S] [--list 1] [--well 1]    (list names the calls that never succeeded; with well
//   every
//                                                              other call is meant well, and most entry points succeed)
//
// The run passes if it reaches its end: no crash, no hang (a watchdog ends the program if one call takes a minute), no
// leak under AddressSanitizer, and for each refused call a log entry with a reason. It also counts which calls ever
// succeeded, so that a run that only met refusals fails.
#define CUDA_ENABLE_DEPRECATED
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <tuple>
#include <vector>

#include "arguments.h"
#include "explanations.h"
#include "long_tests.h"

namespace fuzz {
namespace {

std::atomic<const char*> running{"nothing"};
std::atomic<uint64_t> calls_done{0};

void watch() {
  std::thread([] {
    // Counted in iterations of the watchdog: a process that is stopped for a while has not hung.
    uint64_t seen = ~uint64_t{0};
    for (int turns = 0; turns < 60; std::this_thread::sleep_for(std::chrono::seconds(1))) {
      const uint64_t now = calls_done;
      turns = now == seen ? turns + 1 : 0;
      seen = now;
    }
    std::fprintf(stderr, "%s has not returned for a minute\n", running.load());
    std::abort();
  }).detach();
}

template <class R, class... P, size_t... I>
bool call_with(Arguments& arguments, Explanations& explanations, const char* call, R (*function)(P...),
               const char* const* names, std::index_sequence<I...>) {
  arguments.begin_call();
  std::tuple<P...> values{arguments.make<P>(Parameter{call, names[I]})...};
  bool succeeded = true;
  if constexpr (std::is_same_v<R, cudaError_t> || std::is_same_v<R, CUresult>) {
    explanations.begin_call();
    const auto status = static_cast<cudaError_t>(std::apply(function, values));
    explanations.check(call, sizeof...(P), status);
    succeeded = status == cudaSuccess;
  } else {
    static_cast<void>(std::apply(function, values));
  }
  if (succeeded) (arguments.collect(Parameter{call, names[I]}, std::get<I>(values)), ...);
  arguments.end_call(succeeded);
  return succeeded;
}

template <class R, class... P>
bool call_once(Arguments& arguments, Explanations& explanations, const char* call, R (*function)(P...),
               std::initializer_list<const char*> names) {
  return call_with(arguments, explanations, call, function, names.begin(), std::index_sequence_for<P...>{});
}

struct Call {
  const char* name;
  bool (*run)(Arguments&, Explanations&);
};

// The types select the C function among C++ overloads.
#define CALL(result, name, types, ...)                                                                         \
  Call{#name, [](Arguments& arguments, Explanations& explanations) {                                           \
         return call_once(arguments, explanations, #name, static_cast<result(*) types>(&name), {__VA_ARGS__}); \
       }},
const Call calls[] = {
#include "calls.inc"
};
#undef CALL

// Chooses the next call. Calls that create objects are more frequent, and the one that destroys everything is rare,
// so that the others have objects to work on.
class Choice {
 public:
  Choice() {
    for (size_t i = 0; i < std::size(calls); ++i) {
      const std::string_view name = calls[i].name;
      if (name.starts_with("cudaStreamCreate") || name.starts_with("cudaEventCreate") || name == "cudaGraphCreate" ||
          name == "cudaGraphInstantiate" || name.starts_with("cudaMallocManaged") || name == "cudaMalloc" ||
          name == "cudaMallocHost" || name == "cuStreamCreate" || name == "cuMemAlloc" ||
          name == "cudaGetFuncBySymbol" || name == "cuDevicePrimaryCtxRetain") {
        makers_.push_back(i);
      }
      if (name == "cudaDeviceReset" || name == "cuDevicePrimaryCtxReset") resets_.push_back(i);
      if (may_hang_or_free(name)) left_out_.push_back(i);
    }
  }
  // A reset frees memory that graphs still refer to, so it comes towards the end.
  size_t pick(Random& random, bool towards_the_end) const {
    if (random.one_in(8)) return makers_[random.below(makers_.size())];
    const size_t any = random.below(std::size(calls));
    if (contains(left_out_, any)) return makers_[0];
    return contains(resets_, any) && !(towards_the_end && random.one_in(20)) ? makers_[0] : any;
  }

 private:
  // Waits for values that no one writes, and contexts, whose destruction frees memory that this program still uses.
  static bool may_hang_or_free(std::string_view name) {
    return name.starts_with("cuStreamWaitValue") || name.find("BatchMemOp") != name.npos || name == "cuCtxCreate";
  }
  static bool contains(const std::vector<size_t>& list, size_t which) {
    return std::find(list.begin(), list.end(), which) != list.end();
  }

  std::vector<size_t> makers_, resets_, left_out_;
};

void destroy_everything() {
  Handles<cudaGraphExec_t>::destroy_all();
  Handles<cudaGraph_t>::destroy_all();
  Handles<cudaStream_t>::destroy_all();
  Handles<cudaEvent_t>::destroy_all();
  Handles<cudaExternalSemaphore_t>::destroy_all();
  Handles<cudaLogsCallbackHandle>::destroy_all();
  Handles<cudaAsyncCallbackHandle_t>::destroy_all();
  Handles<cudaLibrary_t>::destroy_all();
  Handles<cudaUserObject_t>::destroy_all();
  Handles<cudaMemPool_t>::destroy_all();
}

int run(uint64_t count, uint64_t seed, bool list, bool well) {
  const std::optional<Lender> lender = well ? std::optional<Lender>(std::in_place) : std::nullopt;
  Random random(seed);
  random.meant_well = well;
  Memories memories(random);
  Arguments arguments(random, memories, lender ? lender->handles() : nullptr);
  register_device_code();
  watch();
  const Choice choice;
  Explanations explanations;
  std::array<uint64_t, std::size(calls)> successes{};
  for (uint64_t i = 0; i < count; ++i) {
    const size_t which = choice.pick(random, i > count / 10 * 9);
    running = calls[which].name;
    successes[which] += calls[which].run(arguments, explanations);
    calls_done = i + 1;
  }
  running = "the end";
  destroy_everything();
  memories.free_all();
  static_cast<void>(cudaDeviceSynchronize());

  uint64_t total = 0;
  size_t never = 0;
  for (size_t i = 0; i < std::size(calls); ++i) {
    total += successes[i];
    never += successes[i] == 0;
    if (list && successes[i] == 0) std::printf("never: %s\n", calls[i].name);
  }
  std::printf("%llu calls of %zu entry points, seed %llu: %llu succeeded, %zu entry points never\n",
              static_cast<unsigned long long>(count), std::size(calls), static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(total), never);
  const bool silent = explanations.print() > 0;
  return silent || (count >= 100000 &&
                    std::size(calls) - never < (well ? 240 : 100));  // some fifty cannot succeed on this device
}

}  // namespace
}  // namespace fuzz

int main(int count, char** arguments) {
  uint64_t calls = 0, seed = 1;
  bool list = false, well = false;
  for (int i = 1; i + 1 < count; i += 2) {
    const uint64_t number = std::strtoull(arguments[i + 1], nullptr, 10);
    if (std::strcmp(arguments[i], "--calls") == 0) calls = number;
    if (std::strcmp(arguments[i], "--seed") == 0) seed = number;
    if (std::strcmp(arguments[i], "--list") == 0) list = number;
    if (std::strcmp(arguments[i], "--well") == 0) well = number;
  }
  // A valid call does real work, and takes longer.
  if (calls == 0) calls = well ? repetitions(20000, 200000, 1000000) : repetitions(100000, 500000, 1000000);
  return fuzz::run(calls, seed, list, well);
}

// Unordered copies and memsets race on the same memory here. That is intended: the race is in this program's data,
// not in the runtime.
extern "C" const char* __tsan_default_suppressions() {
  return "race:reprise_runtime::memory::copy_bytes\n"
         "race:reprise_runtime::memory::(anonymous namespace)::copy_rows\n"
         "race:reprise_runtime::memory::fill_box\n";
}

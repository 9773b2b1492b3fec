// Tables of calls that do not go into the capturing stream: which are prohibited while it captures, by mode and thread.
#pragma once

#include <set>
#include <utility>

#include "capture/capture_support.h"

namespace conformance {

// The effect of a call on a capture.
enum class Rule {
  safe,                // none
  unsafe,              // prohibited where the modes say so
  unsafe_of_captured,  // the same, after it captured a node
  unsafe_and_wrong,    // prohibited where the modes say so, cudaErrorInvalidValue elsewhere
  legacy,              // uses the legacy stream: invalidates captures on blocking streams
  legacy_asked,        // queries the legacy stream: an error while a blocking stream captures, but no harm
  legacy_waited,       // waits for the legacy stream, or allocates or frees there: as legacy, and prohibited as unsafe
  legacy_begun,        // captures the legacy stream, which is not possible
  device,              // concerns every stream of the device
};

struct UnsafeCall : Row {
  Rule rule;
};
using UnsafeCallTable = std::vector<UnsafeCall>;

// Makes an object by create(&object), to be destroyed after the capture.
template <class Object, class Create, class Destroy>
cudaError_t create(Things& things, Create make, Destroy destroy) {
  Object object{};
  const cudaError_t answer = make(&object);
  if (object) things.later.push_back([=] { (void)destroy(object); });
  return answer;
}

// Runs a preparation that no capture may refuse.
template <class Preparation>
void with_relaxed_mode(Preparation prepare) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  (void)cudaThreadExchangeStreamCaptureMode(&mode);
  prepare();
  (void)cudaThreadExchangeStreamCaptureMode(&mode);
}

inline std::string expected(const UnsafeCall& call, const Situation& s) {
  const bool blocking = s.stream_flags == cudaStreamDefault;
  switch (call.rule) {
    case Rule::safe:
      return goes_on();
    case Rule::unsafe:
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on();
    case Rule::unsafe_of_captured:
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on(cudaErrorInvalidValue, 3);
    case Rule::unsafe_and_wrong:
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on(cudaErrorInvalidValue);
    case Rule::legacy:
      return blocking ? invalidates(cudaErrorStreamCaptureImplicit) : goes_on();
    case Rule::legacy_asked:
      return goes_on(blocking ? cudaErrorStreamCaptureImplicit : cudaSuccess);
    case Rule::legacy_waited:
      if (blocking) return invalidates(cudaErrorStreamCaptureImplicit);
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on();
    case Rule::legacy_begun:
      return blocking ? invalidates(cudaErrorStreamCaptureImplicit) : goes_on(cudaErrorStreamCaptureUnsupported);
    case Rule::device:
      return invalidates(cudaErrorStreamCaptureUnsupported);
  }
  return {};
}

class UnsafeCalls : public CapturesInEverySituation {
 protected:
  void ask(const UnsafeCallTable& calls) {
    make_each_outside_a_capture(calls);
    for (const Situation& situation : situations()) {
      for (const UnsafeCall& call : calls) {
        ASK_FACT(std::string(call.name) + " [" + situation.text() + "]", expected(call, situation),
                 outcome(situation, call));
      }
    }
  }

 private:
  // NVIDIA's runtime initializes parts of itself lazily, which would change the answer of the first call.
  static void make_each_outside_a_capture(const UnsafeCallTable& calls) {
    static std::set<const UnsafeCallTable*> made;
    if (!made.insert(&calls).second) return;
    for (const UnsafeCall& call : calls) {
      Things things(cudaStreamNonBlocking);
      const cudaError_t answer = guarded([&] { return call.call(things); });
      if (answer != cudaSuccess) TELL(std::string(call.name) + " [outside]", brief(answer));
      (void)cudaGetLastError();
      cudaGraph_t graph = nullptr;
      (void)cudaStreamEndCapture(cudaStreamLegacy, &graph);
      (void)cudaGetLastError();
    }
  }
};

}  // namespace conformance

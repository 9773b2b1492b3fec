// Tables of calls with a capturing stream, or with an event recorded in it: each row is a call and its outcome for the
// capture.
#pragma once

#include "capture/capture_support.h"

namespace conformance {

struct StreamCall : Row {
  std::string expected;
};
using StreamCalls = std::vector<StreamCall>;

inline std::string unsupported() { return invalidates(cudaErrorStreamCaptureUnsupported); }
// Captured as `count` nodes.
inline std::string captured(int count = 1) { return goes_on(cudaSuccess, 2 + count); }

class CapturingStreamCalls : public CapturesInEverySituation {
 protected:
  void ask(const StreamCalls& calls) {
    for (const Situation& situation : situations()) {
      for (const StreamCall& call : calls) {
        ASK_FACT(std::string(call.name) + " [" + situation.text() + "]", call.expected, outcome(situation, call));
      }
    }
  }
};

}  // namespace conformance

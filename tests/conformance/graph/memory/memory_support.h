// Shared by the tests of graph memory.
#pragma once

#include "pool/pool_support.h"

namespace conformance {

class GraphMemory : public Graphs {
 protected:
  void SetUp() override {
    Graphs::SetUp();
    MUST(cudaDeviceSynchronize());
    MUST(cudaDeviceGraphMemTrim(0));
    start_used = graph_used();
    start_reserved = graph_reserved();
  }
  unsigned long long start_used = 0, start_reserved = 0;
};

}  // namespace conformance

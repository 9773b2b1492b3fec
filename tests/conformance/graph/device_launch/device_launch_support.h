// Graphs that device code launches, and what the tests of them share.
#pragma once

#include "graph/update/update_support.h"

namespace {

enum How { forget, tail, sibling };

__device__ cudaStream_t stream_of(int how) {
  return how == forget ? cudaStreamGraphFireAndForget
         : how == tail ? cudaStreamGraphTailLaunch
                       : cudaStreamGraphFireAndForgetAsSibling;
}

__global__ void launch_one(cudaGraphExec_t graph, int how, int* answer) {
  *answer = static_cast<int>(cudaGraphLaunch(graph, stream_of(how)));
}
__global__ void add_atomically(int* where) { atomicAdd(where, 1); }

// A graph of one kernel that device code may launch.
class Launched {
 public:
  template <typename... Parameters, typename... Arguments>
  Launched(cudaStream_t stream, void (*kernel)(Parameters...), Arguments... arguments) {
    graph_.kernel({}, kernel, arguments...);
    exec_ = std::make_unique<Exec>(graph_, cudaGraphInstantiateFlagDeviceLaunch);
    EXPECT_EQ(cudaSuccess, cudaGraphUpload(*exec_, stream));
  }
  operator cudaGraphExec_t() const { return *exec_; }

 private:
  Graph graph_;
  std::unique_ptr<Exec> exec_;
};

class GraphDeviceLaunches : public Graphs {
 protected:
  DeviceArray<int> cell{1024};
  int* at = cell.get();
  Stream stream{cudaStreamNonBlocking};

  template <typename... Parameters, typename... Arguments>
  Launched launched(void (*kernel)(Parameters...), Arguments... arguments) {
    return Launched(stream, kernel, arguments...);
  }
  void run_graph(cudaGraph_t what) {
    Exec exec(what);
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  }
  std::string cells(size_t from, size_t count) {
    const auto all = cell.read();
    return text_of(std::vector<int>(all.begin() + from, all.begin() + from + count));
  }
};

}  // namespace

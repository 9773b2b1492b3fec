// Shared by the tests of graphs that device code launches.
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
[[maybe_unused]] static __global__ void add_atomically(int* where) { atomicAdd(where, 1); }

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

[[maybe_unused]] static __device__ void pause_for(long long clocks) {
  const long long start = clock64();
  while (clock64() - start < clocks) {
  }
}

// A list of numbers in the order in which they were written: log[0] is their count.
[[maybe_unused]] static __device__ void note(int* log, int number) { log[1 + atomicAdd(log, 1)] = number; }

[[maybe_unused]] static __global__ void write_note(int* log, int number) { note(log, number); }

[[maybe_unused]] static __global__ void write_note_late(int* log, int number) {
  pause_for(2000000);
  note(log, number);
}

[[maybe_unused]] static __global__ void note_and_launch(int* log, int number, cudaGraphExec_t graph, int how) {
  note(log, number);
  if (cudaGraphLaunch(graph, stream_of(how)) != cudaSuccess) note(log, -number);
}

[[maybe_unused]] static __global__ void raise_flag(int* flag) { atomicExch(flag, 1); }

// Spins until the flag is set.
[[maybe_unused]] static __global__ void write_note_when_raised(int* log, int number, int* flag) {
  const long long start = clock64();
  while (atomicAdd(flag, 0) == 0 && clock64() - start < long_patience) {
  }
  note(log, number);
}

class GraphDeviceOrder : public GraphDeviceLaunches {
 protected:
  // The numbers written so far.
  std::string notes() {
    const auto all = cell.read();
    return text_of(std::vector<int>(all.begin() + 1, all.begin() + 1 + std::min(all[0], 1000)));
  }
};

}  // namespace

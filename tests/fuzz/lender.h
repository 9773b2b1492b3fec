// A second process that shares an event and memory: a process cannot open its own handles.
#pragma once

#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {

class Lender {
 public:
  struct Handles {
    cudaIpcEventHandle_t event;
    cudaIpcMemHandle_t memory;
  };

  // Must be called before this process uses the runtime, because the other one is its child.
  Lender() {
    int lent[2], ends[2];
    if (pipe(lent) != 0 || pipe(ends) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      close(ends[1]);
      lend(lent[1], ends[0]);
      _exit(0);
    }
    close(lent[1]);
    close(ends[0]);
    works_ = read(lent[0], &handles_, sizeof handles_) == sizeof handles_;
    close(lent[0]);
    end_ = ends[1];
  }
  Lender(const Lender&) = delete;
  Lender& operator=(const Lender&) = delete;
  ~Lender() {
    close(end_);
    waitpid(child_, nullptr, 0);
  }

  const Handles* handles() const { return works_ ? &handles_ : nullptr; }

 private:
  static void lend(int to, int until) {
    Handles handles{};
    cudaEvent_t event = nullptr;
    void* memory = nullptr;
    if (cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) != cudaSuccess ||
        cudaIpcGetEventHandle(&handles.event, event) != cudaSuccess || cudaMalloc(&memory, 65536) != cudaSuccess ||
        cudaIpcGetMemHandle(&handles.memory, memory) != cudaSuccess ||
        write(to, &handles, sizeof handles) != sizeof handles) {
      return;
    }
    char byte;
    while (read(until, &byte, 1) > 0) {
    }
  }

  pid_t child_ = -1;
  int end_ = -1;
  bool works_ = false;
  Handles handles_{};
};

}  // namespace fuzz

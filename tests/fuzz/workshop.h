// Objects that belong together, created as a program would. Random choice alone rarely combines a node, the
// executable graph of its graph and parameters of its type in one call.
#pragma once

#include <cuda_runtime_api.h>

#include "memories.h"
#include "random.h"

namespace fuzz {

class Workshop {
 public:
  explicit Workshop(Random& random) : random_(random) {}
  ~Workshop();

  // Creates all objects again and adds them to the handles to choose from, where any call may use or destroy them.
  void make(Memories& memories);

  cudaGraph_t graph = nullptr, clone = nullptr;  // `graph` has a node of every type, and holds `object`
  cudaGraphExec_t exec = nullptr;                // of `graph`
  cudaUserObject_t object = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;  // recorded, and reached
  cudaMemPool_t pool = nullptr, imported = nullptr;
  int pool_file = -1;
  void* pool_memory = nullptr;         // in `pool`
  cudaMemPoolPtrExportData pointer{};  // to `pool_memory`

 private:
  void make_graph(Memories& memories, cudaExternalSemaphore_t semaphore);
  void make_pool(Memories& memories, cudaStream_t stream);
  void keep(cudaGraphNode_t node);

  Random& random_;
};

}  // namespace fuzz

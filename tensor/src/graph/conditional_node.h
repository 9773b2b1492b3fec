// Adds a conditional node to the capture of the current stream.
#pragma once

#include <reprise/tensor.h>

#include <functional>
#include <memory>

#include "capture/capture_context.h"

namespace reprise {

class ConditionalNode {
 public:
  enum class RandomNumbers { own, none };

  // The node runs after the work captured so far and reads `condition` when it runs. RandomNumbers::own takes one draw
  // of the default generator.
  ConditionalNode(std::shared_ptr<CaptureContext> context, StreamRef stream, cudaGraphConditionalNodeType type,
                  unsigned bodies, const Tensor& condition, RandomNumbers random = RandomNumbers::own);

  // Captures `work` as body number `body`.
  void capture(unsigned body, const std::function<void()>& work);
  // Within the body of a loop: sets whether it continues.
  void set(const Tensor& condition);

 private:
  std::shared_ptr<CaptureContext> context_;
  StreamRef stream_;
  cudaGraphConditionalHandle handle_ = 0;
  std::vector<cudaGraph_t> bodies_;
  std::shared_ptr<Memory> random_;  // seed and offset for the bodies; null for RandomNumbers::none
};

}  // namespace reprise

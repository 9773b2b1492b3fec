// A conditional node in the capture that the current stream is in.
#pragma once

#include <reprise/tensor.h>

#include <functional>
#include <memory>

#include "capture/capture_context.h"

namespace reprise {

class ConditionalNode {
 public:
  enum class RandomNumbers { own, none };

  // After what the stream was given so far; `condition` is read when the node runs. Random numbers of its own take one
  // draw of the default generator.
  ConditionalNode(std::shared_ptr<CaptureContext> context, StreamRef stream, cudaGraphConditionalNodeType type,
                  unsigned bodies, const Tensor& condition, RandomNumbers random = RandomNumbers::own);

  // Captures `work` as body number `body`.
  void capture(unsigned body, const std::function<void()>& work);
  // Within the body of a loop: whether it goes on.
  void set(const Tensor& condition);

 private:
  std::shared_ptr<CaptureContext> context_;
  StreamRef stream_;
  cudaGraphConditionalHandle handle_ = 0;
  std::vector<cudaGraph_t> bodies_;
  std::shared_ptr<Memory> random_;  // seed and offset of the bodies' random numbers, if they have any
};

}  // namespace reprise

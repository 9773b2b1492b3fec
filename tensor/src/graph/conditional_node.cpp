#include "graph/conditional_node.h"

#include <reprise/error.h>
#include <reprise/random.h>

#include "graph/conditional_kernels.h"
#include "graph/generator_position.h"

namespace reprise {

ConditionalNode::ConditionalNode(std::shared_ptr<CaptureContext> context, StreamRef stream,
                                 cudaGraphConditionalNodeType type, unsigned bodies, const Tensor& condition,
                                 RandomNumbers random)
    : context_(std::move(context)), stream_(stream) {
  if (random == RandomNumbers::own) {
    random_ = allocate(2 * sizeof(std::uint64_t));
    launch_derive_position(static_cast<std::uint64_t*>(Memory::data(random_)), default_generator().next(), stream);
  }
  CaptureRef capture(stream);
  check_cuda(cudaGraphConditionalHandleCreate(&handle_, capture.graph(), 0, cudaGraphCondAssignDefault),
             "capturing a branch or a loop");
  set(condition);
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle_;
  parameters.conditional.type = type;
  parameters.conditional.size = bodies;
  capture.add_last_node(parameters);
  bodies_.assign(parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + bodies);
}

void ConditionalNode::capture(unsigned body, const std::function<void()>& work) {
  Stream stream;
  Capture capture(stream, bodies_[body], {});
  auto context = std::make_shared<CaptureContext>(context_->graph(), capture.id(), stream, context_->pool(), context_);
  context->use_random_numbers_at(random_);
  begin_capture_context(context);
  try {
    StreamGuard guard(stream.get());
    work();
    if (std::uint64_t draws = context->draws(); draws != 0) {
      advance_generator_position(static_cast<std::uint64_t*>(Memory::data(random_)), draws, stream.get());
    }
    capture.end_into();
  } catch (...) {
    end_capture_context(context);
    throw;
  }
  end_capture_context(context);
  context_->add_body(*context, bodies_[body]);
  // The graph keeps the memory that its bodies use.
  for (auto& memory : context->take_result().inputs) context_->keep_outside(std::move(memory));
}

void ConditionalNode::set(const Tensor& condition) {
  check(condition.numel() == 1, "cond or while_loop: a condition must have one element, not ", condition.sizes());
  launch_set_conditional(handle_, condition, current_stream());
}

}  // namespace reprise

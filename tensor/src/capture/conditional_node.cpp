#include "capture/conditional_node.h"

#include <reprise/error.h>
#include <reprise/random.h>

#include "capture/conditional_kernels.h"
#include "capture/generator_position.h"

namespace reprise {

ConditionalNode::ConditionalNode(std::shared_ptr<Session> session, StreamRef stream, cudaGraphConditionalNodeType type,
                                 unsigned bodies, const Tensor& condition, RandomNumbers random)
    : session_(std::move(session)), stream_(stream) {
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
  auto session = std::make_shared<Session>(session_->graph(), capture.id(), stream, session_->pool(), session_);
  session->use_random_numbers_at(random_);
  begin_session(session);
  try {
    StreamGuard guard(stream.get());
    work();
    if (std::uint64_t draws = session->draws(); draws != 0) {
      advance_generator_position(static_cast<std::uint64_t*>(Memory::data(random_)), draws, stream.get());
    }
    capture.end_into();
  } catch (...) {
    end_session(session);
    throw;
  }
  end_session(session);
  session_->add_body(*session, bodies_[body]);
  // What the body uses, the whole graph uses.
  for (auto& memory : session->take_result().inputs) session_->keep_outside(std::move(memory));
}

void ConditionalNode::set(const Tensor& condition) {
  check(condition.numel() == 1, "a condition has one element, not ", condition.sizes());
  launch_set_conditional(handle_, condition, current_stream());
}

}  // namespace reprise

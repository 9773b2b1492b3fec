#include "graph/captured_graph.h"

#include <reprise/capture.h>
#include <reprise/error.h>

#include "capture/pooled_memory.h"
#include "graph/generator_position.h"
#include "graph/host_memory.h"
#include "kernels/device/device_error.h"

namespace reprise {

CapturedGraph::CapturedGraph(Graph graph, CaptureResult result, std::shared_ptr<Pool> pool,
                             std::optional<Stream> stream)
    : stream_(std::move(stream)), pool_(std::move(pool)), result_(std::move(result)), graph_(std::move(graph)) {
  for (const auto& input : result_.inputs) {
    statistics.inputs += input->bytes();
    if (auto* pooled = dynamic_cast<const PooledMemory*>(input.get()); pooled && pooled->contents()) {
      result_.memory.read.push_back(pooled->contents());
    }
  }
  statistics.own = result_.memory.allocated.bytes();
  pool_->add_user();
  pool_->order().add(result_.memory);
}

CapturedGraph::~CapturedGraph() {
  result_.memory.abandon();
  pool_->order().remove(result_.memory);
  exec_.reset();
  pool_->remove_user();
  release_finished_host_memory();
}

void CapturedGraph::instantiate() {
  if (!exec_) exec_.emplace(graph_);
}

void CapturedGraph::check_inputs_in_use() {
  const std::uint64_t replacements = Memory::replacements();
  if (replacements == replacements_seen_) return;
  for (const auto& input : result_.inputs) {
    check(!input->is_replaced(), "replay of graph ", id(),
          ": it uses a parameter or buffer of a module that Module::to() converted after the capture, and would go on "
          "with the values from before; capture it again");
  }
  replacements_seen_ = replacements;
}

void CapturedGraph::replay(StreamRef stream) {
  kernels::check_device_error();
  check_inputs_in_use();
  instantiate();
  pool_->order().replay(result_.memory, stream, [&] {
    for (const Event& event : result_.outside) stream.wait(event.ref());
    prepare_generators(stream);
    exec_->launch(stream);
  });
  result_.outside.clear();
  ++replays_;
}

void CapturedGraph::mark_results_computed() {
  for (const auto& each : result_.memory.tensors) {
    auto contents = each.lock();
    if (contents && contents->replay() == 0) contents->written();
  }
}

// The graph advances each position itself, so it is written only if the generator was used elsewhere in between.
void CapturedGraph::prepare_generators(StreamRef stream) {
  for (CapturedGenerator& captured : result_.generators) {
    GeneratorState::Position begin = captured.generator->advance(captured.draws);
    if (!captured.on_device_known || !(captured.on_device == begin)) {
      set_generator_position(static_cast<std::uint64_t*>(Memory::data(captured.position)), begin.seed, begin.offset,
                             stream);
    }
    captured.on_device = {begin.seed, begin.offset + captured.draws};
    captured.on_device_known = true;
  }
}

void CapturedGraph::add_to_capture(CaptureContext& context, StreamRef stream,
                                   const std::shared_ptr<CapturedGraph>& self) {
  check_inputs_in_use();
  check(result_.generators.empty(), "replaying graph ", id(),
        " within a capture: it draws random numbers, and a child graph has no position in its parent's sequence; ",
        "capture the work itself there instead");
  for (const auto& input : result_.inputs) context.keep(input);
  for (const Event& event : result_.outside) event.synchronize();
  CaptureRef capture(stream);
  capture.set_last_nodes({capture.graph().add_child(graph_, capture.last_nodes())});
  context.adopt(result_.memory);
  context.promise(result_.promised);
  context.keep_alive(self);
}

}  // namespace reprise

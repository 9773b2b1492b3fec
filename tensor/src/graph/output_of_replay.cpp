#include "graph/output_of_replay.h"

#include <reprise/capture.h>
#include <reprise/error.h>

#include "capture/pooled_memory.h"

namespace reprise {
namespace {

class OutputMemory final : public Memory {
 public:
  OutputMemory(std::shared_ptr<Memory> memory, std::shared_ptr<Contents> contents)
      : Memory(const_cast<void*>(memory->address()), memory->bytes(), memory->home()),
        memory_(std::move(memory)),
        contents_(std::move(contents)),
        replay_(contents_->replay()) {}

  void check_readable() const override {
    memory_->check_readable();
    check_replay();
  }
  void note_use(const std::shared_ptr<const Memory>&, cudaStream_t stream) const override {
    memory_->note_use(memory_, stream);
    if (contents_->replay() != replay_ && !Overwriting::here() && !is_capturing(stream)) check_replay();
  }

 private:
  void check_replay() const {
    check(contents_->replay() == replay_, "reading an output of replay ", replay_, " of graph ", contents_->graph(),
          ", which replay ", contents_->replay(), " has overwritten: clone() it before the graph is used again");
  }

  const std::shared_ptr<Memory> memory_;
  const std::shared_ptr<Contents> contents_;
  const std::uint64_t replay_;
};

}  // namespace

Tensor output_of_replay(const Tensor& output) {
  auto* pooled = dynamic_cast<const PooledMemory*>(output.body().memory.get());
  auto body = std::make_shared<TensorBody>(output.body());
  body->autograd.reset();
  // An input that is returned unchanged is not an output of the graph.
  if (pooled && pooled->contents()) body->memory = std::make_shared<OutputMemory>(body->memory, pooled->contents());
  return Tensor(std::move(body));
}

}  // namespace reprise

#include <reprise/random.h>

#include "capture/capture_context.h"
#include "capture/generator_state.h"
#include "capture/random_tape.h"
#include "capture/warm_up.h"

namespace reprise {

Generator::Generator(std::uint64_t seed) : state_(std::make_shared<GeneratorState>(seed)) {}

void Generator::manual_seed(std::uint64_t seed) { state_->set({seed, 0}); }
std::uint64_t Generator::seed() const { return state_->position().seed; }
std::uint64_t Generator::offset() const { return state_->position().offset; }
void Generator::set_offset(std::uint64_t offset) { state_->set({seed(), offset}); }

PhiloxState Generator::next(std::uint64_t draws) const {
  auto context = capture_context_of(current_stream());
  // The body of a branch or a loop has its own sequence of numbers.
  if (context && context->parent()) return context->next(state_, draws);
  const std::uint64_t graph = context ? context->graph() : 0;
  if (const PhiloxState* again = RandomTape::play(graph)) return *again;
  PhiloxState state = context ? context->next(state_, draws) : next_eagerly(draws);
  RandomTape::note(state, graph);
  return state;
}

PhiloxState Generator::next_eagerly(std::uint64_t draws) const {
  if (WarmUp* warm_up = WarmUp::current()) warm_up->save(state_);
  GeneratorState::Position from = state_->advance(draws);
  return {from.seed, from.offset, nullptr};
}

Generator& default_generator() {
  static Generator* generator = new Generator;
  return *generator;
}
void manual_seed(std::uint64_t seed) { default_generator().manual_seed(seed); }

}  // namespace reprise

#include <reprise/random.h>

#include "capture/generator_state.h"
#include "capture/rehearsal.h"
#include "capture/session.h"

namespace reprise {

Generator::Generator(std::uint64_t seed) : state_(std::make_shared<GeneratorState>(seed)) {}

void Generator::manual_seed(std::uint64_t seed) { state_->set({seed, 0}); }
std::uint64_t Generator::seed() const { return state_->position().seed; }
std::uint64_t Generator::offset() const { return state_->position().offset; }
void Generator::set_offset(std::uint64_t offset) { state_->set({seed(), offset}); }

PhiloxState Generator::next(std::uint64_t draws) const {
  if (auto session = session_of(current_stream())) return session->next(state_, draws);
  if (Rehearsal* rehearsal = Rehearsal::current()) rehearsal->about_to_use(state_);
  GeneratorState::Position from = state_->advance(draws);
  return {from.seed, from.offset, nullptr};
}

Generator& default_generator() {
  static Generator* generator = new Generator;
  return *generator;
}
void manual_seed(std::uint64_t seed) { default_generator().manual_seed(seed); }

}  // namespace reprise

#include "graph/update/pending_changes.h"

#include <unordered_set>

namespace reprise_runtime::graph {
namespace {

bool is_enabling(const StepChange& change) { return std::holds_alternative<EnabledChange>(change); }

const Step* step_of(const StepChange& change) {
  return std::visit([](const auto& each) -> const Step* { return each.step; }, change);
}

template <class T>
void reserve_more(std::vector<T>& list, size_t more) {
  if (list.capacity() - list.size() < more) list.reserve(2 * list.size() + more);
}

}  // namespace

void PendingChanges::reserve(const ChangeList& changes) {
  if (count_ > most_) drop_superseded();
  reserve_more(batches_, 1);
  reserve_more(objects_, changes.objects.size());
}

// Drops the changes for which drop(change) is true, latest batches first.
template <class Drop>
void PendingChanges::drop_if(Drop&& drop) {
  count_ = 0;
  for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
    std::erase_if(*batch, drop);
    count_ += batch->size();
  }
  std::erase_if(batches_, [](const std::vector<StepChange>& batch) { return batch.empty(); });
}

void PendingChanges::drop_superseded() {
  std::unordered_set<const Step*> changed, enabled;
  changed.reserve(count_);
  enabled.reserve(count_);
  drop_if([&](const StepChange& change) {
    return !(is_enabling(change) ? enabled : changed).insert(step_of(change)).second;
  });
}

void PendingChanges::add(ChangeList& changes, bool all_nodes) noexcept {
  if (all_nodes) drop_if([](const StepChange& change) { return !is_enabling(change); });
  count_ += changes.steps.size();
  if (!changes.steps.empty()) batches_.push_back(std::move(changes.steps));
  for (ObjectsChange& each : changes.objects) objects_.push_back(std::move(each.objects));
}

void PendingChanges::apply() noexcept {
  for (std::vector<StepChange>& batch : batches_) {
    for (StepChange& change : batch) graph::apply(change);
  }
}

}  // namespace reprise_runtime::graph

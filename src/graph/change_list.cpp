#include "graph/change_list.h"

namespace reprise::graph {

void ChangeList::reserve(const Size& more) {
  std::apply(
      [&](auto&... lists) {
        auto count = more.changes.begin();
        (lists.reserve(lists.size() + *count++), ...);
      },
      changes_);
}

void ChangeList::supersede(const Size& before) {
  if (before.arguments > 0) arguments_.drop_first(before.arguments);
  std::apply(
      [&](auto&... lists) {
        auto count = before.changes.begin();
        (lists.erase(lists.begin(), lists.begin() + static_cast<ptrdiff_t>(*count++)), ...);
      },
      changes_);
  number_ = 0;
}

bool ChangeList::empty() const {
  const bool none = std::apply([](const auto&... lists) { return (lists.empty() && ...); }, changes_);
  return none && arguments_.empty() && enablings_.empty() && retired_.empty();
}

void ChangeList::apply() const {
  arguments_.write();
  auto make = [](const auto& list) {
    for (const auto& change : list) PlanChange::set_part(*change.plan, change.step, change.part);
  };
  std::apply([&](const auto&... lists) { (make(lists), ...); }, changes_);
  for (const auto& [plan, step, enabling] : enablings_) PlanChange::enable(*plan, step, enabling.type, enabling.enabled);
}

}  // namespace reprise::graph

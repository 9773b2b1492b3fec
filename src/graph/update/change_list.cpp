#include "graph/update/change_list.h"

namespace reprise_runtime::graph {

void ChangeList::reserve(const Size& count) {
  arguments_.reserve_words(count.arguments);
  std::apply(
      [&](auto&... lists) {
        auto each = count.changes.begin();
        ((*each > 0 ? lists.reserve(*each) : void(), ++each), ...);
      },
      staged_);
}

void ChangeList::reserve_staged() {
  auto make = [](auto& list, size_t more) {
    if (list.capacity() - list.size() < more) list.reserve(2 * list.size() + more);
  };
  std::apply(
      [&](const auto&... staged) { std::apply([&](auto&... lists) { (make(lists, staged.size()), ...); }, changes_); },
      staged_);
}

void ChangeList::drop(const Size& before) noexcept {
  arguments_.truncate(before.arguments);
  std::apply([](auto&... lists) { (lists.clear(), ...); }, staged_);
}

void ChangeList::add_room(Plan& plan, uint32_t step, uint32_t bytes, PendingPlaces& places) {
  rooms_.push_back(PlanChange::make_room(plan, step, bytes));
  places.room = bytes;
}

void ChangeList::supersede(const Size& before) noexcept {
  if (before.arguments > 0) arguments_.drop_first(before.arguments);
  auto exchange = [](auto& list, auto& staged) {
    if (list.empty() && staged.empty()) return;
    list.swap(staged);
    staged.clear();
  };
  std::apply([&](auto&... lists) { std::apply([&](auto&... staged) { (exchange(lists, staged), ...); }, staged_); },
             changes_);
  number_ = 0;
}

bool ChangeList::empty() const {
  const bool none = std::apply([](const auto&... lists) { return (lists.empty() && ...); }, changes_);
  return none && arguments_.empty() && enablings_.empty() && rooms_.empty() && retired_.empty();
}

void ChangeList::apply() const noexcept {
  for (const PlanChange::Room& room : rooms_) PlanChange::use(room);
  arguments_.write();
  auto make = [](const auto& list) {
    for (const auto& change : list) PlanChange::set_part(*change.plan, change.step, change.part);
  };
  std::apply([&](const auto&... lists) { (make(lists), ...); }, changes_);
  for (const auto& [plan, step, enabling] : enablings_)
    PlanChange::enable(*plan, step, enabling.type, enabling.enabled);
}

}  // namespace reprise_runtime::graph

// Changes of an executable graph that its next launch makes, in its turn.
//
// Thread safety: belongs to the executable graph, whose mutex guards it, then to the launch.
#pragma once

#include <array>
#include <atomic>
#include <tuple>
#include <vector>

#include "graph/pending_places.h"
#include "graph/plan_change.h"

namespace reprise::graph {

class ChangeList {
  template <class Part>
  struct Change {
    Plan* plan;
    uint32_t step;
    Part part;
  };
  template <class... Parts>
  using Lists = std::tuple<std::vector<Change<Parts>>...>;

 public:
  // Each takes the places of the node's earlier changes, if they are given, and leaves its own there.
  template <class T>
  void set(Plan& plan, uint32_t step, const T& work, PendingPlaces* places) {
    push(plan, step, part_of(work), places);
  }
  // Of a kernel of which nothing but the arguments changes. False: more does, by this change or by one that is in the list
  // and stays there; without places it does not stay (see supersede()). `T` is KernelWork, or cudaKernelNodeParams that
  // were not looked at yet.
  template <class T>
  bool set_arguments(Plan& plan, uint32_t step, const T& to, PendingPlaces* places) {
    if (places && places->change.list == number()) return false;
    size_t at = places && places->arguments.list == number() ? places->arguments.at : ArgumentLog::none;
    if (!PlanChange::log_arguments(plan, step, to, arguments_, at)) return false;
    if (places) places->arguments = {number(), at};
    return true;
  }
  void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled, PendingPlaces& places) {
    put(enablings_, enablings_number_, &places.enabling, plan, step, Enabling{type, enabled});
  }

  void reserve_arguments(size_t kernels) { arguments_.reserve(kernels); }
  // How many there are of each kind.
  struct Size {
    size_t arguments, enablings;
    std::array<size_t, 7> changes;

    bool operator==(const Size&) const = default;
  };
  Size size() const {
    return {arguments_.size(), enablings_.size(),
            std::apply([](const auto&... lists) { return std::array{lists.size()...}; }, changes_)};
  }
  // For so many more of each kind.
  void reserve(const Size& more);
  // All nodes are changed: some arguments were logged since then, without places, and more will follow. So what was asked
  // for before goes, but for whether nodes are enabled.
  void supersede(const Size& before);
  // Arguments that were logged since then go.
  void drop_arguments(const Size& before) { arguments_.truncate(before.arguments); }

  bool empty() const;
  // More than the arguments of some kernel.
  bool changes_kernels() const { return !std::get<std::vector<Change<KernelWork>>>(changes_).empty(); }
  // User objects that the launches before the changes may still need. They go with the next launch, also those that no
  // launch was made with: so an H200 has it.
  void retire(HeldObjects objects) {
    if (!objects.empty()) retired_.push_back(std::move(objects));
  }
  // Nobody will make the changes: the plan keeps the objects.
  void leave_objects_to(Plan& plan) {
    for (const HeldObjects& each : retired_) plan.outline().objects.share(each);
  }
  void apply() const;

 private:
  struct Enabling {
    cudaGraphNodeType type;
    bool enabled;
  };

  template <class Part>
  void push(Plan& plan, uint32_t step, const Part& part, PendingPlaces* places) {
    put(std::get<std::vector<Change<Part>>>(changes_), number_, places ? &places->change : nullptr, plan, step, part);
  }
  void push(Plan&, uint32_t, op::Empty, PendingPlaces*) {}

  // At the place, or at the end.
  template <class Part>
  static void put(std::vector<Change<Part>>& list, uint64_t& number, PendingPlaces::Place* place, Plan& plan,
                  uint32_t step, const Part& part) {
    if (place) {
      if (place->list == named(number)) return void(list[place->at].part = part);
      *place = {number, list.size()};
    }
    list.emplace_back(&plan, step, part);
  }

  // Places are those of a list by this number, which no other has had.
  uint64_t number() { return named(number_); }
  static uint64_t named(uint64_t& number) {
    static std::atomic<uint64_t> last{0};
    if (number == 0) number = last.fetch_add(1, std::memory_order_relaxed) + 1;
    return number;
  }

  // All of them come before the other changes of the same kernel: none is logged after such a change, whose place is
  // therefore always known.
  ArgumentLog arguments_;
  // The order of changes of different nodes does not matter, nor when a node is enabled.
  Lists<KernelWork, op::HostFunction, op::Memcpy, op::Memset, op::SemaphoreSignal, op::SemaphoreWait, HeldCondition>
      changes_;
  std::vector<Change<Enabling>> enablings_;
  uint64_t number_ = 0, enablings_number_ = 0;  // 0: none yet
  std::vector<HeldObjects> retired_;
};

}  // namespace reprise::graph

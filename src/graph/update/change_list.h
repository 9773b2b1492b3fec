// Changes of an executable graph that its next launch makes, in its turn.
//
// Thread safety: belongs to the executable graph, whose mutex guards it, then to the launch.
//
// Memory: what asks for a change may find none, and then nothing has changed. Making the changes needs none.
#pragma once

#include <array>
#include <atomic>
#include <tuple>
#include <type_traits>
#include <vector>

#include "graph/update/pending_places.h"
#include "graph/update/plan_change.h"

namespace reprise_runtime::graph {

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
  void set(Plan& plan, uint32_t step, const T& work, PendingPlaces& places) {
    using Part = PartOf<T>;
    if constexpr (!std::is_same_v<Part, op::Empty>) {
      promise_room(plan, step, work, places);
      put(list_of<Part>(), number_, places.change, plan, step, Part(part_of(work)));
    }
  }
  // Of a kernel of which nothing but the arguments changes. False: more does, by this change or by one that is in the
  // list and stays there; without places it does not stay (see supersede()). `T` is KernelWork, or cudaKernelNodeParams
  // that were not looked at yet.
  template <class T>
  bool set_arguments(Plan& plan, uint32_t step, const T& to, PendingPlaces* places) {
    if (places && places->change.list == number()) return false;
    size_t at = places && places->arguments.list == number() ? places->arguments.at : ArgumentLog::none;
    if (!PlanChange::log_arguments(plan, step, to, arguments_, at)) return false;
    if (places) places->arguments = {number(), at};
    return true;
  }
  void enable(Plan& plan, uint32_t step, cudaGraphNodeType type, bool enabled, PendingPlaces& places) {
    put(enablings_, enablings_number_, places.enabling, plan, step, Enabling{type, enabled});
  }

  void reserve_arguments(size_t kernels) { arguments_.reserve(kernels); }
  // How many there are of each kind.
  struct Size {
    size_t arguments, enablings, rooms;
    std::array<size_t, 7> changes;

    bool operator==(const Size&) const = default;
  };
  Size size() const {
    return {arguments_.size(), enablings_.size(), rooms_.size(),
            std::apply([](const auto&... lists) { return std::array{lists.size()...}; }, changes_)};
  }

  // ---- many at once, all of them or none ----------------------------------------------------------------------------

  // For so many of each kind to be staged, or logged.
  void reserve(const Size& count);
  // Beside what is there: then comes drop(), supersede() or Settling.
  template <class T>
  void stage(Plan& plan, uint32_t step, const T& work, PendingPlaces* places) {
    if constexpr (!std::is_same_v<PartOf<T>, op::Empty>) {
      if (places) promise_room(plan, step, work, *places);
      std::get<std::vector<Change<PartOf<T>>>>(staged_).emplace_back(&plan, step, part_of(work));
    }
  }
  // The same for arguments, if that is all that changes; `places` are those of before.
  bool stage_arguments(Plan& plan, uint32_t step, const KernelWork& work, const PendingPlaces& places) {
    if (places.change.list == number()) return false;
    size_t at = ArgumentLog::none;
    return PlanChange::log_arguments(plan, step, work, arguments_, at);
  }
  // What was staged goes, and arguments that were logged since then, without places.
  void drop(const Size& before) noexcept;
  // What was staged, and logged since then, changes all nodes: so what was asked for before goes, but for whether nodes
  // are enabled. Kernels that were staged have places again when they were noted, in the order of staging.
  void supersede(const Size& before) noexcept;
  void note_kernel(PendingPlaces& places, size_t at) noexcept { places.change = {number(), at}; }
  // Of single nodes: what was staged takes its places, in the order of staging. First there is made room for it.
  void reserve_staged();
  class Settling;

  bool empty() const;
  // More than the arguments of some kernel.
  bool changes_kernels() const { return !list_of<op::Kernel>().empty(); }
  // User objects that the launches before the changes may still need. They go with the next launch, also those that no
  // launch was made with: so an H200 has it.
  void retire(HeldObjects objects) noexcept {
    if (!objects.empty()) retired_.push_back(std::move(objects));
  }
  // Memory for so many more.
  void reserve_retired(size_t more) {
    if (retired_.capacity() - retired_.size() < more) retired_.reserve(2 * retired_.size() + more);
  }
  // Nobody will make the changes: the plan keeps the objects.
  void leave_objects_to(Plan& plan) noexcept { plan.exec_index().retired.swap(retired_); }
  void apply() const noexcept;

 private:
  struct Enabling {
    cudaGraphNodeType type;
    bool enabled;
  };
  template <class T>
  using PartOf = std::remove_cvref_t<decltype(part_of(std::declval<const T&>()))>;

  template <class Part>
  std::vector<Change<Part>>& list_of() {
    return std::get<std::vector<Change<Part>>>(changes_);
  }
  template <class Part>
  const std::vector<Change<Part>>& list_of() const {
    return std::get<std::vector<Change<Part>>>(changes_);
  }

  template <class Part, class... All>
  static constexpr size_t index_of(const std::tuple<All...>*) {
    size_t index = 0;
    bool found = false;
    ((found |= std::is_same_v<All, std::vector<Change<Part>>>, index += !found), ...);
    return index;
  }

  // At the place, or at the end.
  template <class Part>
  static void put(std::vector<Change<Part>>& list, uint64_t& number, PendingPlaces::Place& place, Plan& plan,
                  uint32_t step, Part part) {
    static_assert(std::is_nothrow_move_assignable_v<Part>);
    if (place.list == named(number)) return void(list[place.at].part = std::move(part));
    list.emplace_back(&plan, step, std::move(part));
    place = {number, list.size() - 1};
  }

  // A kernel's arguments will have room when the changes are made.
  template <class T>
  void promise_room(Plan&, uint32_t, const T&, PendingPlaces&) {}
  void promise_room(Plan& plan, uint32_t step, const KernelWork& work, PendingPlaces& places) {
    if (places.room == 0) places.room = PlanChange::room_of(plan, step);  // nobody changes it
    if (work.op.parameters.size() > places.room) [[unlikely]]
      add_room(plan, step, work.op.parameters.size(), places);
  }
  void add_room(Plan& plan, uint32_t step, uint32_t bytes, PendingPlaces& places);

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
  Lists<op::Kernel, op::HostFunction, op::Memcpy, op::Memset, op::SemaphoreSignal, op::SemaphoreWait, HeldCondition>
      changes_, staged_;
  std::vector<Change<Enabling>> enablings_;
  std::vector<PlanChange::Room> rooms_;  // those come first, and stay whatever becomes of the changes they were for
  uint64_t number_ = 0, enablings_number_ = 0;  // 0: none yet
  std::vector<HeldObjects> retired_;
};

class ChangeList::Settling {
 public:
  Settling(ChangeList& list, const Size& before) noexcept
      : list_(list), next_{before.arguments, 0, 0, {}}, end_(before.arguments) {}
  Settling(const Settling&) = delete;
  ~Settling() { list_.drop({end_, 0, 0, {}}); }

  // The next change of a node with such work.
  template <class T>
  void settle(const T&, PendingPlaces& places) noexcept {
    if constexpr (!std::is_same_v<PartOf<T>, op::Empty>) settle_part<PartOf<T>>(places);
  }
  // The next arguments of a kernel.
  void settle_arguments(PendingPlaces& places) noexcept {
    const size_t at = next_.arguments;
    next_.arguments += list_.arguments_.size_at(at);
    if (places.arguments.list == list_.number()) {
      list_.arguments_.move(at, places.arguments.at);
    } else {
      places.arguments = {list_.number(), end_};
      list_.arguments_.move(at, end_);
      end_ += list_.arguments_.size_at(end_);
    }
  }

 private:
  template <class Part>
  void settle_part(PendingPlaces& places) noexcept {
    auto& [plan, step, part] =
        std::get<std::vector<Change<Part>>>(list_.staged_)[next_.changes[index_of<Part>(&list_.changes_)]++];
    put(list_.list_of<Part>(), list_.number_, places.change, *plan, step, std::move(part));
  }

  ChangeList& list_;
  Size next_;
  size_t end_;  // of the arguments that have their places
};

}  // namespace reprise_runtime::graph

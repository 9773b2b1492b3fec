// One thread of a group calls a function (invoke_one); all threads may get its result (invoke_one_broadcast).
#pragma once

#include <utility>

namespace cooperative_groups {
inline namespace __v1 {

template <class Group, class Function, class... Arguments>
__device__ inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}

template <class Group, class Function, class... Arguments>
__device__ inline auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) ->
    typename __reprise::decayed<decltype(function(arguments...))>::type {
  typename __reprise::decayed<decltype(function(arguments...))>::type result{};
  if (group.thread_rank() == 0) result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace __v1
}  // namespace cooperative_groups

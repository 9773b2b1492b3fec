// Priorities of streams. Lower numbers are more urgent.
#pragma once

#include <algorithm>

namespace reprise_runtime::stream {

inline constexpr int least_priority = 0;
inline constexpr int greatest_priority = -5;

inline int clamp_priority(int priority) { return std::clamp(priority, greatest_priority, least_priority); }
// The lane's level.
inline int level_of(int priority) { return priority - greatest_priority; }

}  // namespace reprise_runtime::stream

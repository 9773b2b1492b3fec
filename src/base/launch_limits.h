// The limits of a launch: those of compute capability 9.0, which programs are written for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::launch_limits {

inline constexpr uint32_t warp_size = 32;
inline constexpr uint32_t max_block_threads = 1024;
inline constexpr uint32_t max_block[3] = {1024, 1024, 64};
inline constexpr uint32_t max_grid[3] = {0x7fffffff, 65535, 65535};
inline constexpr uint32_t max_shared_default = 48 * 1024;
inline constexpr uint32_t max_shared_opt_in = 227 * 1024;
inline constexpr uint32_t reserved_shared = 1024;
inline constexpr uint32_t max_parameter_bytes = 32764;

// Of a multiprocessor, which is a core here. They bound the resident blocks of a cooperative launch.
inline constexpr uint32_t multiprocessor_threads = 2048;
inline constexpr uint32_t multiprocessor_blocks = 32;
inline constexpr uint32_t multiprocessor_shared = 228 * 1024;
inline constexpr uint32_t multiprocessor_registers = 65536;

inline constexpr uint32_t max_cluster_blocks = 8;
inline constexpr uint32_t max_cluster_blocks_opt_in = 16;

inline constexpr uint32_t constant_bytes = 64 * 1024;

inline constexpr uint32_t sync_domains = 4;

// The largest access-policy window. A CPU's caches take no such hints, but windows beyond a GPU's limit are refused.
inline constexpr size_t max_policy_window = size_t{128} << 20;

}  // namespace reprise_runtime::launch_limits

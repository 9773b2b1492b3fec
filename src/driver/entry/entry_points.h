// Calls of the driver API by name and version.
#pragma once

namespace reprise_runtime::driver {

struct EntryPoint {
  const char* name;
  int since;         // the CUDA version from which a call of this form exists
  void* function;    // stream 0 is the legacy stream
  void* per_thread;  // stream 0 is the calling thread's own; null where that makes no difference
};

enum class Lookup { found, no_such_name, version_too_low };
struct Found {
  Lookup lookup = Lookup::no_such_name;
  void* function = nullptr;
};

// The newest form that `version` has.
Found find_entry_point(const char* name, int version, bool per_thread);

namespace detail {
// Forms that a later version has replaced, by name and version, ascending.
extern const EntryPoint earlier_entry_points[];
extern const int earlier_entry_point_count;
}  // namespace detail

}  // namespace reprise_runtime::driver

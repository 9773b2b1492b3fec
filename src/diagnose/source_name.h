// The name of an entry point in a program's source: without the endings that headers and compiler options add.
#pragma once

#include <string_view>

namespace reprise_runtime::diagnose {

inline std::string_view source_name(std::string_view entry_point) {
  // Of a stream 0 per thread.
  if (entry_point.ends_with("_ptsz") || entry_point.ends_with("_ptds")) entry_point.remove_suffix(5);
  // cuda.h gives the newest version of a driver call its plain name.
  if (const size_t n = entry_point.size(); n > 3 && entry_point.substr(n - 3, 2) == "_v") entry_point.remove_suffix(3);
  return entry_point;
}

}  // namespace reprise_runtime::diagnose

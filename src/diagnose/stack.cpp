#include "diagnose/stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "diagnose/debug_info.h"
#include "diagnose/demangle.h"

namespace reprise_runtime::diagnose {
namespace {

constexpr int most_frames = 48;
constexpr size_t described_frames = 8;

struct Place {
  SourcePlace source;
  std::string file;
  uintptr_t file_offset = 0;  // as addr2line -e takes it
  const void* module = nullptr;
  bool program = false;  // in the program's own file, not in a library
};

Place find(const void* instruction) {
  // A return address follows the call, which may be the last instruction of its function.
  const auto address = reinterpret_cast<uintptr_t>(instruction) - 1;
  Place place;
  Dl_info info{};
  link_map* map = nullptr;
  const int found = dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  if (found == 0 || !info.dli_fbase || !map) return place;
  const char* slash = std::strrchr(info.dli_fname, '/');
  place.file = slash ? slash + 1 : info.dli_fname;
  place.file_offset = address - map->l_addr;
  place.module = info.dli_fbase;
  place.program = !*map->l_name;
  place.source = find_source_place(address);
  // Without libdw, the loader's table: it has only the functions that libraries can use.
  if (place.source.function.empty() && info.dli_sname) {
    place.source.function = demangled(info.dli_sname);
    place.source.offset = address - reinterpret_cast<uintptr_t>(info.dli_saddr);
  }
  return place;
}

std::string described(const Place& place) {
  char text[64];
  std::string words;
  if (!place.source.function.empty()) {
    std::snprintf(text, sizeof text, "+0x%zx", place.source.offset);
    words = place.source.function + text + " ";
  }
  if (place.file.empty()) return words.empty() ? "?" : words;
  std::snprintf(text, sizeof text, "+0x%zx)", place.file_offset);
  words += "(" + place.file + text;
  return place.source.line.empty() ? words : words + " at " + place.source.line;
}

// Whether the frame is an entry point, the runtime behind it, the tensor layer, or a launch stub of the compiler.
bool is_runtime(const Place& place) {
  constexpr std::string_view prefixes[] = {"cuda", "__cuda", "reprise_runtime::", "reprise::", "__device_stub__"};
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return place.source.function.starts_with(prefix); });
}

}  // namespace

std::string describe_address(const void* instruction) { return described(find(instruction)); }

std::string describe_stack() {
  void* frames[most_frames];
  const int count = backtrace(frames, most_frames);
  Dl_info self{};
  dladdr(reinterpret_cast<void*>(&describe_stack), &self);
  std::vector<Place> places;
  bool outside = false;
  for (int i = 0; i < count && places.size() < described_frames; ++i) {
    Place place = find(frames[i]);
    const bool library = place.module == self.dli_fbase && !place.program;
    if (!outside && (library || is_runtime(place))) continue;
    // Without symbols, the frames of a runtime that is linked into the program look like the program's: keep them all.
    outside = true;
    const std::string& function = place.source.function;
    if (function.starts_with("__libc_start_")) break;
    places.push_back(std::move(place));
    if (places.back().source.function == "main") break;
  }
  std::string text;
  for (const Place& place : places) text += (text.empty() ? "" : " < ") + described(place);
  return text.empty() ? "?" : text;
}

}  // namespace reprise_runtime::diagnose

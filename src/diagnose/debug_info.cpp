#include "diagnose/debug_info.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstring>
#include <type_traits>

#include "base/mutex.h"
#include "diagnose/demangle.h"

namespace reprise_runtime::diagnose {
namespace {

// The functions of libdw.so.1 that are used here.
struct Libdw {
  decltype(&dwfl_begin) begin = nullptr;
  decltype(&dwfl_report_begin) report_begin = nullptr;
  decltype(&dwfl_linux_proc_report) linux_proc_report = nullptr;
  decltype(&dwfl_report_end) report_end = nullptr;
  decltype(&dwfl_addrmodule) addrmodule = nullptr;
  decltype(&dwfl_module_addrinfo) module_addrinfo = nullptr;
  decltype(&dwfl_module_nextcu) module_nextcu = nullptr;
  decltype(&dwarf_haspc) haspc = nullptr;
  decltype(&dwarf_getsrc_die) getsrc_die = nullptr;
  decltype(&dwarf_linesrc) linesrc = nullptr;
  decltype(&dwarf_lineno) lineno = nullptr;
  Dwfl_Callbacks callbacks = {};
  bool complete = false;

  Libdw() {
    void* library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const auto load = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    complete = load(begin, "dwfl_begin") && load(report_begin, "dwfl_report_begin") &&
               load(linux_proc_report, "dwfl_linux_proc_report") && load(report_end, "dwfl_report_end") &&
               load(addrmodule, "dwfl_addrmodule") && load(module_addrinfo, "dwfl_module_addrinfo") &&
               load(module_nextcu, "dwfl_module_nextcu") && load(haspc, "dwarf_haspc") &&
               load(getsrc_die, "dwarf_getsrc_die") && load(linesrc, "dwarf_linesrc") && load(lineno, "dwarf_lineno") &&
               load(callbacks.find_elf, "dwfl_linux_proc_find_elf");
    // Only what is in the files themselves: libdw's own search may ask a server in the network.
    callbacks.find_debuginfo = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                                  char**) { return -1; };
  }
};

class DebugInfo {
 public:
  static DebugInfo& instance() {
    static auto* info = new DebugInfo;  // Never destroyed: calls fail while the process exits, too.
    return *info;
  }

  SourcePlace find(uintptr_t address) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    SourcePlace place;
    Dwfl_Module* module = find_module(address);
    if (!module) return place;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    if (const char* name = libdw_.module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr)) {
      place.function = demangled(name);
      place.offset = offset;
    }
    place.line = find_line(module, address);
    return place;
  }

 private:
  Dwfl_Module* find_module(uintptr_t address) REPRISE_REQUIRES(mutex_) {
    if (!libdw_.complete) return nullptr;
    if (!session_) session_ = libdw_.begin(&libdw_.callbacks);
    if (!session_) return nullptr;
    Dwfl_Module* module = libdw_.addrmodule(session_, address);
    if (module) return module;
    // A library may have been loaded since the last report.
    libdw_.report_begin(session_);
    const bool reported = libdw_.linux_proc_report(session_, getpid()) == 0;
    libdw_.report_end(session_, nullptr, nullptr);
    return reported ? libdw_.addrmodule(session_, address) : nullptr;
  }

  // Looks at one compilation unit after the other: dwfl_module_getsrc() needs a table (.debug_aranges) that clang does
  // not write.
  std::string find_line(Dwfl_Module* module, uintptr_t address) REPRISE_REQUIRES(mutex_) {
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = libdw_.module_nextcu(module, unit, &bias)) != nullptr;) {
      if (libdw_.haspc(unit, address - bias) != 1) continue;
      Dwarf_Line* line = libdw_.getsrc_die(unit, address - bias);
      const char* file = line ? libdw_.linesrc(line, nullptr, nullptr) : nullptr;
      int number = 0;
      if (!file || libdw_.lineno(line, &number) != 0 || number == 0) continue;
      const char* slash = std::strrchr(file, '/');
      return std::string(slash ? slash + 1 : file) + ":" + std::to_string(number);
    }
    return {};
  }

  Mutex mutex_;
  Libdw libdw_ REPRISE_GUARDED_BY(mutex_);
  Dwfl* session_ REPRISE_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace

SourcePlace find_source_place(uintptr_t address) { return DebugInfo::instance().find(address); }

}  // namespace reprise_runtime::diagnose

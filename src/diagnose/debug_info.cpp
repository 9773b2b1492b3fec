#include "diagnose/debug_info.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <cstring>
#include <type_traits>
#include <vector>

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
  decltype(&dwarf_child) child = nullptr;
  decltype(&dwarf_siblingof) siblingof = nullptr;
  decltype(&dwarf_diename) diename = nullptr;
  decltype(&dwarf_formudata) formudata = nullptr;
  decltype(&dwarf_getsrcfiles) getsrcfiles = nullptr;
  decltype(&dwarf_filesrc) filesrc = nullptr;
  decltype(&dwarf_attr_integrate) attr_integrate = nullptr;
  decltype(&dwarf_getlocation_addr) getlocation_addr = nullptr;
  decltype(&dwarf_tag) tag = nullptr;
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
               load(child, "dwarf_child") && load(siblingof, "dwarf_siblingof") && load(diename, "dwarf_diename") &&
               load(formudata, "dwarf_formudata") && load(getsrcfiles, "dwarf_getsrcfiles") &&
               load(filesrc, "dwarf_filesrc") && load(attr_integrate, "dwarf_attr_integrate") &&
               load(getlocation_addr, "dwarf_getlocation_addr") && load(tag, "dwarf_tag") &&
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

  bool read_index(const char* name, const StoppedThread& thread, uint32_t (&index)[3]) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const uintptr_t address = thread.registers[StoppedThread::instruction_pointer];
    Dwfl_Module* module = find_module(address);
    if (!module) return false;
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = libdw_.module_nextcu(module, unit, &bias)) != nullptr;) {
      if (libdw_.haspc(unit, address - bias) == 1 && read_index_in(unit, address - bias, name, thread, index))
        return true;
    }
    return false;
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
      const std::string calling = is_own_header(file) ? find_calling_line(*unit, address - bias) : std::string();
      return calling.empty() ? short_line(file, static_cast<size_t>(number)) : calling;
    }
    return {};
  }

  // The function around the address and, inside it, blocks and inlined calls, outermost first.
  using Scopes = std::vector<Dwarf_Die>;
  void find_scopes(Dwarf_Die& parent, Dwarf_Addr address, Scopes& scopes) REPRISE_REQUIRES(mutex_) {
    Dwarf_Die child;
    if (libdw_.child(&parent, &child) != 0) return;
    do {
      const int tag = libdw_.tag(&child);
      if (tag == DW_TAG_namespace) {
        find_scopes(child, address, scopes);
      } else if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
                 libdw_.haspc(&child, address) == 1) {
        scopes.push_back(child);
        find_scopes(child, address, scopes);
        return;
      }
    } while (libdw_.siblingof(&child, &child) == 0);
  }

  bool read_index_in(Dwarf_Die* unit, Dwarf_Addr address, const char* name, const StoppedThread& thread,
                     uint32_t (&index)[3]) REPRISE_REQUIRES(mutex_) {
    Scopes scopes;
    find_scopes(*unit, address, scopes);
    Dwarf_Die variable;
    if (scopes.empty() || !find_variable(scopes.front(), name, variable)) return false;
    const Location place = locate(variable, DW_AT_location, address);
    const Location base = locate(scopes.front(), DW_AT_frame_base, address);
    // A stack variable; in optimised code the indices may be anywhere, or nowhere.
    if (place.count != 1 || place.steps[0].atom != DW_OP_fbreg) return false;
    if (base.count != 1 || base.steps[0].atom < DW_OP_reg0 || base.steps[0].atom > DW_OP_reg15) return false;
    const uintptr_t start = thread.registers[base.steps[0].atom - DW_OP_reg0] + place.steps[0].number;
    const uintptr_t offset = start - thread.registers[StoppedThread::stack_pointer];
    if (offset > thread.stack_bytes || thread.stack_bytes - offset < sizeof index) return false;
    std::memcpy(index, thread.stack + offset, sizeof index);
    return true;
  }

  bool find_variable(Dwarf_Die& function, const char* name, Dwarf_Die& variable) REPRISE_REQUIRES(mutex_) {
    if (libdw_.child(&function, &variable) != 0) return false;
    do {
      const char* here = libdw_.tag(&variable) == DW_TAG_variable ? libdw_.diename(&variable) : nullptr;
      if (here && std::strcmp(here, name) == 0) return true;
    } while (libdw_.siblingof(&variable, &variable) == 0);
    return false;
  }

  // For a line of the runtime's own headers, such as the template cudaMalloc(T**): the line of the program that calls
  // it. Empty if there is none.
  std::string find_calling_line(Dwarf_Die& unit, Dwarf_Addr address) REPRISE_REQUIRES(mutex_) {
    Scopes scopes;
    find_scopes(unit, address, scopes);
    Dwarf_Files* files = nullptr;
    size_t file_count = 0;
    if (libdw_.getsrcfiles(&unit, &files, &file_count) != 0) return {};
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      if (libdw_.tag(&*scope) != DW_TAG_inlined_subroutine) continue;
      const char* file = libdw_.filesrc(files, number_of(*scope, DW_AT_call_file), nullptr, nullptr);
      if (file && !is_own_header(file)) return short_line(file, number_of(*scope, DW_AT_call_line));
    }
    return {};
  }

  size_t number_of(Dwarf_Die& die, unsigned name) REPRISE_REQUIRES(mutex_) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (libdw_.attr_integrate(&die, name, &attribute)) libdw_.formudata(&attribute, &number);
    return number;
  }

  static bool is_own_header(const char* file) { return std::strstr(file, "/reprise_cuda/") != nullptr; }

  static std::string short_line(const char* file, size_t number) {
    const char* slash = std::strrchr(file, '/');
    return std::string(slash ? slash + 1 : file) + ":" + std::to_string(number);
  }

  struct Location {
    Dwarf_Op* steps = nullptr;
    size_t count = 0;
  };
  Location locate(Dwarf_Die& die, unsigned attribute_name, Dwarf_Addr address) REPRISE_REQUIRES(mutex_) {
    Dwarf_Attribute attribute;
    Location location;
    if (libdw_.attr_integrate(&die, attribute_name, &attribute) &&
        libdw_.getlocation_addr(&attribute, address, &location.steps, &location.count, 1) != 1)
      location.count = 0;
    return location;
  }

  Mutex mutex_;
  Libdw libdw_ REPRISE_GUARDED_BY(mutex_);
  Dwfl* session_ REPRISE_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace

SourcePlace find_source_place(uintptr_t address) { return DebugInfo::instance().find(address); }

bool read_index_variable(const char* name, const StoppedThread& thread, uint32_t (&index)[3]) {
  return DebugInfo::instance().read_index(name, thread, index);
}

}  // namespace reprise_runtime::diagnose

#include "diagnose/stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace reprise_runtime::diagnose {
namespace {

constexpr int most_frames = 48;
constexpr size_t told_frames = 8;

// The functions of this program's file. The loader knows only those that libraries can use; a file that was not
// stripped names all of them.
class ProgramSymbols {
 public:
  static const ProgramSymbols& instance() {
    static const auto* symbols = new ProgramSymbols;
    return *symbols;
  }

  // The function around an offset into the file's image; null if none is known.
  const char* find(uintptr_t offset) const {
    auto after = std::upper_bound(functions_.begin(), functions_.end(), offset,
                                  [](uintptr_t wanted, const Function& function) { return wanted < function.start; });
    if (after == functions_.begin()) return nullptr;
    const Function& function = *(after - 1);
    return offset < function.start + std::max<uintptr_t>(function.size, 1) ? function.name : nullptr;
  }
  uintptr_t start_of(uintptr_t offset) const {
    auto after = std::upper_bound(functions_.begin(), functions_.end(), offset,
                                  [](uintptr_t wanted, const Function& function) { return wanted < function.start; });
    return (after - 1)->start;
  }

 private:
  struct Function {
    uintptr_t start, size;
    const char* name;
  };

  ProgramSymbols() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat about{};
    if (file < 0) return;
    if (fstat(file, &about) == 0 && about.st_size > static_cast<off_t>(sizeof(Elf64_Ehdr))) {
      // Stays mapped: the names are in it.
      void* image = mmap(nullptr, static_cast<size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (image != MAP_FAILED) read(static_cast<const char*>(image), static_cast<size_t>(about.st_size));
    }
    close(file);
  }

  void read(const char* image, size_t bytes) {
    const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(image);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return;
    if (header.e_shoff + size_t{header.e_shnum} * sizeof(Elf64_Shdr) > bytes) return;
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image + header.e_shoff);
    for (int i = 0; i < header.e_shnum; ++i) {
      const Elf64_Shdr& table = sections[i];
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum) continue;
      const Elf64_Shdr& names = sections[table.sh_link];
      if (table.sh_offset + table.sh_size > bytes || names.sh_offset + names.sh_size > bytes) continue;
      read_table(image, table, names);
    }
    std::sort(functions_.begin(), functions_.end(),
              [](const Function& a, const Function& b) { return a.start < b.start; });
  }

  void read_table(const char* image, const Elf64_Shdr& table, const Elf64_Shdr& names) {
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image + table.sh_offset);
    for (size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC || symbols[i].st_name >= names.sh_size) continue;
      if (symbols[i].st_shndx == SHN_UNDEF) continue;
      functions_.push_back({symbols[i].st_value, symbols[i].st_size, image + names.sh_offset + symbols[i].st_name});
    }
  }

  std::vector<Function> functions_;
};

// Where the program's own file lies in memory.
struct Program {
  uintptr_t bias = 0;  // from addresses in the file to those in memory
  uintptr_t first = 0, end = 0;

  bool holds(uintptr_t address) const { return first <= address && address < end; }

  static const Program& instance() {
    static const Program program = [] {
      Program found;
      // The loader's first object is the program.
      dl_iterate_phdr(
          [](dl_phdr_info* about, size_t, void* out) {
            auto& here = *static_cast<Program*>(out);
            here.bias = about->dlpi_addr;
            here.first = UINTPTR_MAX;
            for (int i = 0; i < about->dlpi_phnum; ++i) {
              const auto& part = about->dlpi_phdr[i];
              if (part.p_type != PT_LOAD) continue;
              here.first = std::min<uintptr_t>(here.first, here.bias + part.p_vaddr);
              here.end = std::max<uintptr_t>(here.end, here.bias + part.p_vaddr + part.p_memsz);
            }
            return 1;
          },
          &found);
      return found;
    }();
    return program;
  }
};

struct Place {
  std::string function;  // empty: not known
  uintptr_t offset = 0;  // in the function
  std::string file;
  uintptr_t file_offset = 0;
  bool program = false;  // in the program's own file
};

std::string demangled(const char* name) {
  int status = 0;
  char* words = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string text = words ? words : name;
  std::free(words);
  return text;
}

Place find(const void* instruction) {
  // What returns is behind the call, which may be the last instruction of a function.
  const auto address = reinterpret_cast<uintptr_t>(instruction) - 1;
  Place place;
  Dl_info about{};
  if (dladdr(reinterpret_cast<void*>(address), &about) == 0 || !about.dli_fbase) return place;
  const auto base = reinterpret_cast<uintptr_t>(about.dli_fbase);
  const char* slash = std::strrchr(about.dli_fname, '/');
  place.file = slash ? slash + 1 : about.dli_fname;
  place.file_offset = address - base;
  if (about.dli_sname) {
    place.function = demangled(about.dli_sname);
    place.offset = address - reinterpret_cast<uintptr_t>(about.dli_saddr);
  }
  if (const Program& program = Program::instance(); program.holds(address)) {
    place.program = true;
    const uintptr_t at = place.file_offset = address - program.bias;
    if (const char* name = ProgramSymbols::instance().find(at)) {
      place.function = demangled(name);
      place.offset = at - ProgramSymbols::instance().start_of(at);
    }
  }
  return place;
}

std::string described(const Place& place) {
  char text[64];
  std::string words;
  if (!place.function.empty()) {
    std::snprintf(text, sizeof text, "+0x%zx", place.offset);
    words = place.function + text + " ";
  }
  if (place.file.empty()) return words.empty() ? "?" : words;
  std::snprintf(text, sizeof text, "+0x%zx)", place.file_offset);
  return words + "(" + place.file + text;
}

// Whether the frame is an entry point, the runtime behind it, the tensor layer, or a launch stub of the compiler.
bool is_runtime(const Place& place) {
  constexpr std::string_view prefixes[] = {"cuda", "__cuda", "reprise_runtime::", "reprise::", "__device_stub__"};
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return place.function.starts_with(prefix); });
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
  for (int i = 0; i < count && places.size() < told_frames; ++i) {
    Dl_info about{};
    const bool known = dladdr(frames[i], &about) != 0;
    Place place = find(frames[i]);
    const bool library = known && about.dli_fbase == self.dli_fbase && !place.program;
    if (!outside && (library || is_runtime(place))) continue;
    // Without symbols, frames of a program with the runtime linked in cannot be told apart: all are told.
    outside = true;
    if (place.function == "__libc_start_main" || place.function == "__libc_start_call_main") break;
    places.push_back(std::move(place));
    if (places.back().function == "main") break;
  }
  std::string text;
  for (const Place& place : places) text += (text.empty() ? "" : " < ") + described(place);
  return text.empty() ? "?" : text;
}

}  // namespace reprise_runtime::diagnose

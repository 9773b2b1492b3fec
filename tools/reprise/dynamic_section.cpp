#include "dynamic_section.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

namespace reprise_tool {
namespace {

namespace fs = std::filesystem;

// The file as a sequence of tables; a table outside the file is empty.
class ElfFile {
 public:
  explicit ElfFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  bool is_elf64() const {
    return bytes_.size() >= sizeof(Elf64_Ehdr) && std::memcmp(bytes_.data(), ELFMAG, SELFMAG) == 0 &&
           bytes_[EI_CLASS] == ELFCLASS64;
  }

  template <class Entry>
  std::vector<Entry> table(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(Entry)) return {};
    std::vector<Entry> entries(count);
    if (count > 0) std::memcpy(entries.data(), bytes_.data() + offset, count * sizeof(Entry));
    return entries;
  }

  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return "";
    return std::string(bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset));
  }

 private:
  std::vector<char> bytes_;
};

std::optional<std::uint64_t> file_offset(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address < segment.p_vaddr + segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return std::nullopt;
}

void add_search_paths(std::vector<fs::path>& paths, const std::string& list, const fs::path& origin) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    std::string path = list.substr(begin, end - begin);
    if (const std::size_t at = path.find("$ORIGIN"); at != std::string::npos) path.replace(at, 7, origin.string());
    if (!path.empty()) paths.emplace_back(path);
    begin = end + 1;
  }
}

}  // namespace

DynamicSection read_dynamic_section(const fs::path& program) {
  const ElfFile file(program);
  if (!file.is_elf64()) return {};
  const Elf64_Ehdr header = file.table<Elf64_Ehdr>(0, 1)[0];
  const std::vector<Elf64_Phdr> segments = file.table<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  const auto dynamic =
      std::find_if(segments.begin(), segments.end(), [](const Elf64_Phdr& each) { return each.p_type == PT_DYNAMIC; });
  if (dynamic == segments.end()) return {};
  const std::vector<Elf64_Dyn> entries =
      file.table<Elf64_Dyn>(dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn));
  const auto strings =
      std::find_if(entries.begin(), entries.end(), [](const Elf64_Dyn& each) { return each.d_tag == DT_STRTAB; });
  if (strings == entries.end()) return {};
  const std::optional<std::uint64_t> table = file_offset(segments, strings->d_un.d_ptr);
  if (!table) return {};
  DynamicSection section;
  std::error_code ignored;
  const fs::path origin = fs::canonical(program, ignored).parent_path();
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    const std::string text = file.text(*table + entry.d_un.d_val);
    if (entry.d_tag == DT_NEEDED) section.needed.push_back(text);
    if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) add_search_paths(section.search_paths, text, origin);
  }
  return section;
}

bool lacks_runtime(const fs::path& program) {
  const DynamicSection section = read_dynamic_section(program);
  const auto has = [](const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
  };
  return std::find(section.needed.begin(), section.needed.end(), "libreprise.so") != section.needed.end() &&
         std::none_of(section.search_paths.begin(), section.search_paths.end(),
                      [&](const fs::path& path) { return has(path / "libreprise.so"); });
}

}  // namespace reprise_tool

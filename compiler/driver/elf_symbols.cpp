#include "elf_symbols.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace reprise_compiler::driver {
namespace {

// Checks every offset, so that a damaged file yields no symbols instead of a crash.
class Bytes {
 public:
  explicit Bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    bytes_ = std::move(text).str();
  }

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  std::string text_at(std::uint64_t offset) const {
    return offset < bytes_.size() ? std::string(bytes_.c_str() + offset) : "";
  }

 private:
  std::string bytes_;
};

std::vector<ElfSymbol> read_table(const Bytes& bytes, const Elf64_Shdr& table, const Elf64_Shdr& names) {
  std::vector<ElfSymbol> symbols;
  for (std::uint64_t i = 1; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = bytes.at<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
    if (!symbol) break;
    const auto type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_SECTION || type == STT_FILE) continue;
    symbols.push_back({bytes.text_at(names.sh_offset + symbol->st_name), symbol->st_shndx != SHN_UNDEF,
                       ELF64_ST_BIND(symbol->st_info) == STB_LOCAL});
  }
  return symbols;
}

}  // namespace

std::vector<ElfSymbol> read_elf_symbols(const std::string& path) {
  const Bytes bytes(path);
  const auto header = bytes.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto section = [&](std::uint64_t i) { return bytes.at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr)); };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto table = section(i);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto names = section(table->sh_link);
    if (names) return read_table(bytes, *table, *names);
  }
  return {};
}

}  // namespace reprise_compiler::driver

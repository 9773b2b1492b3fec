// The symbol table of an object file.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

struct ElfSymbol {
  std::string name;
  bool defined, local;
};

// Of functions and variables, in the order of the table. Empty when `path` is no 64-bit ELF object.
std::vector<ElfSymbol> read_elf_symbols(const std::string& path);

}  // namespace reprise_compiler::driver

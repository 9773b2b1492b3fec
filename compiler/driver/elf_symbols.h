// Reads the symbol table of an object file.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

struct ElfSymbol {
  std::string name;
  bool defined, local;
};

// Returns the symbols of functions and variables in table order; empty when `path` is not a 64-bit ELF file.
std::vector<ElfSymbol> read_elf_symbols(const std::string& path);

}  // namespace reprise_compiler::driver

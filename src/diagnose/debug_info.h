// Functions and source lines of instructions, read from the symbol tables and debug information of the program and its
// libraries, host and device code alike.
//
// elfutils' libdw reads them. It is loaded when the first explanation needs it, for three reasons: a program that makes
// no mistake does not pay for loading five more libraries; a program linked with -cudart static needs no further
// library on its link line; and where libdw.so.1 is not installed explanations only have fewer names (stack.cpp then
// has those that the dynamic loader knows).
//
// Thread safety: may be called from any thread. One lock guards libdw's objects, which are not thread-safe.
#pragma once

#include <cstdint>
#include <string>

namespace reprise_runtime::diagnose {

struct SourcePlace {
  std::string function;  // demangled; empty: not known
  uintptr_t offset = 0;  // in the function
  std::string line;      // "train.cu:42"; empty: no debug information
};

SourcePlace find_source_place(uintptr_t address);

}  // namespace reprise_runtime::diagnose

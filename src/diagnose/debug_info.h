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

#include <cstddef>
#include <cstdint>
#include <string>

namespace reprise_runtime::diagnose {

struct SourcePlace {
  std::string function;  // demangled; empty: not known
  uintptr_t offset = 0;  // in the function
  std::string line;      // "train.cu:42"; empty: no debug information
};

SourcePlace find_source_place(uintptr_t address);

// A thread that was stopped: its registers in DWARF's order, and a copy of its stack from the stack pointer on.
struct StoppedThread {
  static constexpr unsigned stack_pointer = 7, instruction_pointer = 16, register_count = 17;

  const uintptr_t* registers;
  const char* stack;
  size_t stack_bytes;
};

// Reads a variable of three words, threadIdx or blockIdx, of the function that the thread was in. Returns false if the
// code has no such variable there: only code compiled with -G, or with -g and without optimisation, surely has.
bool read_index_variable(const char* name, const StoppedThread& thread, uint32_t (&index)[3]);

}  // namespace reprise_runtime::diagnose

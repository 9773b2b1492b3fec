// Options of one run of reprise-device-cc.
#pragma once

#include <string>

namespace reprise_compiler::device {

struct Options {
  std::string input, output = "-";
  std::string module_id;            // matches the id in the host object's fat binary
  std::string march = "x86-64-v3";  // AVX2 and FMA
  unsigned optimisation = 3;
  bool debug_info = false;              // -g: keep DWARF
  bool debug_variables = false;         // -G: no optimisation; every variable visible to gdb
  bool relocatable = false;             // -rdc=true: device symbols are visible to other device objects
  bool emit_llvm = false;               // LLVM text instead of an object
  bool remarks = false;                 // report kernels that run as fibers
  bool force_fibers = false;            // run every kernel with barriers as fibers; for tests and comparison
  std::string print_after, stop_after;  // names of passes
};

}  // namespace reprise_compiler::device

// What the command line asks of one run of reprise-device-cc.
#pragma once

#include <string>

namespace reprise_compiler::device {

struct Options {
  std::string input, output = "-";
  std::string module_id;            // the same text as in the host object's fat binary blob
  std::string march = "x86-64-v3";  // AVX2 and FMA: any machine of the last ten years
  unsigned optimisation = 3;
  bool debug_info = false;              // -g: keep DWARF
  bool debug_variables = false;         // -G: keep every variable where gdb can see it; no optimisation
  bool relocatable = false;             // -rdc=true: device symbols are visible to other device objects
  bool emit_llvm = false;               // text instead of an object
  bool remarks = false;                 // say how each kernel is run
  bool force_fibers = false;            // every kernel with barriers as fibers; for tests and comparison
  std::string print_after, stop_after;  // names of passes
};

}  // namespace reprise_compiler::device

#include "tool/pipeline.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "blocks/passes.h"
#include "emit/passes.h"
#include "fibers/passes.h"
#include "front/passes.h"
#include "ir/diagnostic.h"
#include "regions/passes.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

struct Pass {
  const char* name;
  void (*run)(DeviceModule&);
};

// A pass has one name: of its function, of the file that defines it, of the test in tests/compiler/passes and, with
// hyphens, of --stop-after. tests/compiler/passes/check_names verifies that.
#define PASS(name) \
  Pass { #name, name }

// The whole pipeline from NVPTX bitcode to x86-64 code, with the reason for each pass's place.
constexpr Pass passes[] = {
    // front: an NVPTX module becomes an x86-64 module.
    PASS(read_kernels),           // first: later passes replace the functions that annotations name
    PASS(retarget),               // sets the x86-64 data layout before any pass asks for a size
    PASS(lower_address_spaces),   // later passes see one kind of pointer only
    PASS(lower_inline_ptx),       // before define_arithmetic, which covers translated PTX too
    PASS(lower_nvvm_intrinsics),  // from here on: only device builtins and LLVM's own intrinsics
    PASS(lower_libdevice),        // while calls still have their __nv_ names
    PASS(define_arithmetic),      // before an optimisation can exploit what C++ leaves undefined

    // threads: prepare the code that one thread runs.
    PASS(inline_functions),        // barriers and indices in functions become the kernel's own
    PASS(resolve_space_queries),   // after inlining; removes barriers and loops for spaces that are not used
    PASS(lower_thread_exits),      // after inlining, an exit in a function is the kernel's return
    PASS(preserve_lockstep),       // after inlining, where the origin of a pointer is visible
    PASS(add_thread_arguments),    // after inlining, since functions that remain need a hidden argument
    PASS(declare_debug_indices),   // while every function still has its own indices
    PASS(mark_spin_loops),         // in SSA form, where a loop's condition can be traced to its loads
    PASS(mark_timed_waits),        // likewise
    PASS(guess_block_shape),       // while shared variables still have their types
    PASS(allocate_shared_memory),  // functions that were not inlined find shared memory by the thread arguments
    PASS(lower_space_queries),     // where the shared memory of a kernel has its place and size

    // regions, blocks, fibers: run all threads of a block, and the blocks of a grid.
    PASS(split_at_barriers),       // turns every kernel that provably allows it into loops over threads
    PASS(lower_to_thread_loops),   // without optimisation: kernels without barriers, as they are
    PASS(specialise_block_shape),  // copies what split_at_barriers made, before fibers add another way to run it
    PASS(lower_to_fibers),         // takes all kernels that are left

    // emit: finish the module.
    PASS(add_debug_frames),       // gives the functions that the four passes above created debug locations
    PASS(unroll_around_threads),  // inlines, which requires those debug locations
    PASS(register_module),        // all thunks exist
    PASS(optimise),               // last: LLVM's own pipeline on the finished module
};
#undef PASS

void verify(DeviceModule& module, const char* pass) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module.ir, &stream))
    fail("internal error: invalid code after pass " + llvm::Twine(pass) + ":\n" + problem);
}

// As options spell it: "split-at-barriers".
std::string option_name(const Pass& pass) {
  std::string name = pass.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

void check_name(const std::string& option) {
  if (option.empty()) return;
  std::string names;
  for (const Pass& pass : passes) {
    if (option == option_name(pass)) return;
    names += " " + option_name(pass);
  }
  fail("there is no pass " + option + "; the passes are:" + names);
}

}  // namespace

bool run_pipeline(DeviceModule& module) {
  check_name(module.options.print_after);
  check_name(module.options.stop_after);
  for (const Pass& pass : passes) {
    pass.run(module);
    verify(module, pass.name);
    if (module.options.print_after == option_name(pass)) module.ir.print(llvm::outs(), nullptr);
    if (module.options.stop_after == option_name(pass)) return false;
  }
  return true;
}

}  // namespace reprise_compiler::device

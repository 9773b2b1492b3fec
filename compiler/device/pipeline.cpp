#include "pipeline.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "diagnostic.h"
#include "passes.h"

namespace reprise_compiler::device {
namespace {

struct Pass {
  const char* name;
  void (*run)(DeviceModule&);
};

// The whole way from NVPTX bitcode to x86-64 code, with the reason for each pass's place.
constexpr Pass passes[] = {
    {"read-kernels", read_kernels},              // first: annotations name functions that later passes replace
    {"retarget", retarget},                      // the x86 layout, before anything asks for a size
    {"address-spaces", lower_address_spaces},    // one kind of pointer, so that later passes need to know no other
    {"inline-ptx", translate_inline_ptx},        // may make nvvm-like operations: before those are gone
    {"nvvm-intrinsics", lower_nvvm_intrinsics},  // only markers and LLVM's own from here on
    {"maths", map_maths},                        // while calls still have their __nv_ names
    {"arithmetic", define_arithmetic},           // before the first optimisation can use what C++ leaves undefined
    {"inline", inline_functions},                // barriers and indices in functions become the kernel's
    {"thread-exits", lower_thread_exits},        // an exit in a function is the kernel's once it is inlined
    {"lockstep", keep_warps_in_step},            // where pointers can be followed; functions with it need the context
    {"thread-context", pass_thread_context},     // knows which functions were not inlined
    {"debug-indices", declare_indices},          // while every function still has its indices at hand
    {"spin-loops", mark_spin_loops},             // in clean code, where a loop's condition can be followed
    {"guess-shapes", guess_shapes},              // while shared variables still have their types
    {"shared-memory", place_shared_memory},      // needs the context to find shared memory in such functions
    {"split", split_at_barriers},                // takes what can be shown to be loops over threads
    {"thread-loops", lower_to_thread_loops},     // without optimisation: kernels without barriers, as they are
    {"shapes", specialise_for_shape},            // copies what split has made, before fibers add other ways to run it
    {"fibers", lower_to_fibers},                 // takes all that is left
    {"debug-frames", give_debug_frames},         // of the functions that the three before have made
    {"unroll", unroll_around_threads},           // into what has its place in debug information, as inlining wants it
    {"register", register_module},               // all thunks exist
    {"optimise", optimise},                      // last: everything is in its final shape
};

void verify(DeviceModule& module, const char* pass) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module.ir, &stream))
    fail("internal error: invalid code after pass " + llvm::Twine(pass) + ":\n" + problem);
}

void check_name(const std::string& name) {
  if (!name.empty() && llvm::none_of(passes, [&](const Pass& pass) { return name == pass.name; }))
    fail("there is no pass " + name);
}

}  // namespace

bool run_pipeline(DeviceModule& module) {
  check_name(module.options.print_after);
  check_name(module.options.stop_after);
  for (const Pass& pass : passes) {
    pass.run(module);
    verify(module, pass.name);
    if (module.options.print_after == pass.name) module.ir.print(llvm::outs(), nullptr);
    if (module.options.stop_after == pass.name) return false;
  }
  return true;
}

}  // namespace reprise_compiler::device

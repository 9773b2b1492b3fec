#include "help.h"

#include <cstdlib>

#include "gpu_architecture.h"

namespace reprise_compiler::driver {

const char* help_text() {
  return R"(reprise-nvcc: compiles CUDA C++ for the CPU. It takes nvcc's command lines.

  reprise-nvcc [options] file...

Inputs: .cu (CUDA C++), .cpp .cc .cxx .c (host only), .o .a .so (linked), with -x also '-' (standard input). An option
may be written '-opt value', '-opt=value' or with its long name, '--option value' and '--option=value'; lists are
separated by commas.

What to make
  -c                      an object for each source
  -o FILE, -odir DIR      where it goes
  -shared                 a shared library        -lib   a static one
  -E                      the preprocessed source, as the device pass sees it
  -M, -MM                 a make rule with all headers, or those of the user, for both passes
  -MD, -MMD               the same while compiling; -MF FILE, -MT TARGET, -MP as with gcc
  -rdc=true, -dc          device code may use other files' device functions and variables
  -dlink                  accepted; nothing is left to do, so the object is empty
  --create-pch=FILE       FILE and FILE.device: a header (the input) as both passes of a .cu file read it, for
  --use-pch=FILE          .cu files that are compiled with the same options and begin with that header
  -run                    run the program at once (-run-args ARGS)

The source
  -x cu|c++|c             what the inputs are, whatever their names end in
  -std c++11...c++20      the language
  -I, -isystem, -D, -U, -include
  -arch, -code, -gencode  decide __CUDA_ARCH__ (750 when not given) and what cudaFuncGetAttributes calls ptxVersion
  -default-stream legacy|per-thread
  -extended-lambda, -expt-relaxed-constexpr    accepted; always on

The code
  -O0...-O3               optimization of host code (-O2 when neither this nor -g is given); kernels are always optimized,
                          but with -G, or -g and no -O
  -g                      debug information for host and device
  -G                      the same, with device code not optimized
  -lineinfo               line numbers for device code
  -res-usage              say which kernels run as fibers, and why
  -march=CPU              the CPU to make code for (x86-64-v3 when not given, for kernels; native is allowed)
  -use_fast_math, -fmad=true|false

Warnings
  -w, -Werror all-warnings, -Werror reorder, -Werror deprecated-declarations

Other tools and linking
  -Xcompiler, -Xlinker    options for the host compiler and the linker
  -ccbin COMPILER         compiles .cpp and .c files and links; .cu files are always compiled by clang++-19
  -l, -L
  -cudart shared|static|none    how Reprise's runtime is linked (shared)
  -forward-unknown-to-host-compiler

The driver
  -v, --dryrun            list the commands; list and do nothing
  -keep, -keep-dir DIR    leave intermediate files
  -t N                    compile N inputs at once (one per core when not given)
  @FILE, --options-file FILE    options from a file
  --version, --help, --list-gpu-arch, --list-gpu-code

nvcc's other options, which tune a GPU or its tools (-maxrregcount, -Xptxas, ...), are accepted and do nothing. Output
that only a GPU can use (-ptx, -cubin, -fatbin) is refused.

Environment: REPRISE_CLANG (path of clang++ 19), NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, TMPDIR.
)";
}

// Build systems look for nvcc's first words and for "release" and "V" to learn which CUDA this is.
const char* version_text() {
  return "reprise-nvcc " REPRISE_VERSION
         ": CUDA C++ for the CPU, in place of\n"
         "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 13.0, V13.0.88\n";
}

std::string environment_text(const Options& options, const Toolchain& toolchain) {
  const char* path = std::getenv("PATH");
  std::string text;
  text += "#$ TOP=" + toolchain.toolkit.string() + "\n";
  text += "#$ NVVMIR_LIBRARY_DIR=" + (toolchain.toolkit / "nvvm/libdevice").string() + "\n";
  text += "#$ PATH=" + std::string(path ? path : "") + "\n";
  text += "#$ INCLUDES=-I" + toolchain.headers.string() + "\n";
  text += "#$ LIBRARIES=-L" + toolchain.libraries.string() + "\n";
  text += "#$ ARCHITECTURE=-arch compute_" + std::to_string(architecture(options)) + "\n";
  return text;
}

}  // namespace reprise_compiler::driver

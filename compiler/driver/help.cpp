#include "help.h"

#include <cstdlib>

#include "gpu_architecture.h"

namespace reprise_compiler::driver {

const char* help_text() {
  return R"(reprise-nvcc: compiles CUDA C++ for the CPU. It accepts nvcc's command lines.

  reprise-nvcc [options] file...

Inputs: .cu (CUDA C++), .cpp .cc .cxx .c (host only), .o .a .so (linked), with -x also '-' (standard input). An option
is written '-opt value', '-opt=value' or with its long name, '--option value' and '--option=value'; lists are separated
by commas.

Output
  -c                      compile each source to an object
  -o FILE, -odir DIR      write the output to FILE, or into DIR
  -shared                 make a shared library
  -lib                    make a static library
  -E                      print the preprocessed source as the device pass sees it
  -M, -MM                 print a make rule with all headers, or without system headers, of both passes
  -MD, -MMD               write the same while compiling; -MF FILE, -MT TARGET, -MP as in gcc
  -rdc=true, -dc          allow device code to use device functions and variables of other files
  -dlink                  write an empty object, since no device link step is needed
  --create-pch=FILE       precompile a header (the input) for both passes of a .cu file, into FILE and FILE.device
  --use-pch=FILE          use it for .cu files that are compiled with the same options and begin with that header
  -run                    run the program after linking (-run-args ARGS)

Source language
  -x cu|c++|c             language of the inputs, whatever their suffixes
  -std c++11...c++20      language standard
  -I, -isystem, -D, -U, -include
  -arch, -code, -gencode  decide __CUDA_ARCH__ (default: 750) and the ptxVersion that cudaFuncGetAttributes reports
  -default-stream legacy|per-thread
  -extended-lambda, -expt-relaxed-constexpr    accepted; always on

Code generation
  -O0...-O3               optimise host code (default: -O2, or -O0 with -g); kernels are optimised unless -G is given, or
                          -g without -O
  -g                      debug information for host and device code
  -G                      the same, with device code not optimised
  -lineinfo               line numbers for device code
  -res-usage              report which kernels run as fibers, and why
  -march=CPU              target CPU (default for kernels: x86-64-v3; native is allowed)
  -use_fast_math, -fmad=true|false

Warnings
  -w, -Werror all-warnings, -Werror reorder, -Werror deprecated-declarations

Other tools and linking
  -Xcompiler, -Xlinker    options for the host compiler and the linker
  -ccbin COMPILER         compiles .cpp and .c files and links; .cu files are always compiled by clang++-19
  -l, -L
  -cudart shared|static|none    how Reprise's runtime is linked (default: shared)
  -forward-unknown-to-host-compiler

The driver
  -v                      print the commands
  --dryrun                print the commands without running them
  -keep, -keep-dir DIR    keep the intermediate files
  -t N                    compile N inputs at once (default: one per core)
  @FILE, --options-file FILE    read options from a file
  --version, --help, --list-gpu-arch, --list-gpu-code

Other options of nvcc, which tune a GPU or its tools (-maxrregcount, -Xptxas, ...), are accepted and ignored. Options
that make output for a GPU (-ptx, -cubin, -fatbin) are errors.

Environment: REPRISE_CLANG (path of clang++ 19), NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, TMPDIR.
)";
}

// Build systems look for nvcc's name, "release" and "V" to learn the version of CUDA.
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

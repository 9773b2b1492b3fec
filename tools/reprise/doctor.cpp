// reprise doctor: lists installed and missing parts with the command that installs them, then compiles and runs a
// program.
#include <dlfcn.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "child_process.h"
#include "installation.h"
#include "runtime.h"
#include "subcommands.h"

namespace reprise_tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* smoke_program = R"(
#include <cstdio>
__global__ void twice(int* values) {
  __shared__ int block[64];
  block[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = block[63 - threadIdx.x] * 2;
}
int main() {
  int *values, host[64], sum = 0;
  cudaMallocManaged(&values, sizeof host);
  for (int i = 0; i < 64; ++i) values[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  twice<<<1, 64, 0, stream>>>(values);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
  for (int i = 0; i < 64; ++i) sum += values[i];
  std::printf("%d\n", sum);
}
)";
constexpr const char* smoke_output = "16128\n";  // 8 * (0 + ... + 63)

// Prints a line for each finding and records missing parts.
class Report {
 public:
  void good(const std::string& subject, const std::string& detail) { line("ok", subject, detail); }
  // A part that Reprise needs to work.
  void bad(const std::string& subject, const std::string& detail, const std::string& package = "") {
    line("MISSING", subject, detail);
    ok_ = false;
    if (!package.empty()) required_ += " " + package;
  }
  void optional(const std::string& subject, const std::string& detail, const std::string& package = "") {
    line("-", subject, detail);
    if (!package.empty()) optional_ += " " + package;
  }
  int finish() const {
    if (!required_.empty()) std::printf("\nTo install what is missing:\n  sudo apt-get install%s\n", required_.c_str());
    if (!optional_.empty()) std::printf("\nFor the optional parts:\n  sudo apt-get install%s\n", optional_.c_str());
    std::printf("\n%s\n", ok_ ? "Reprise works here." : "Reprise does not work here yet.");
    return ok_ ? 0 : 1;
  }
  bool ok() const { return ok_; }

 private:
  static void line(const char* state, const std::string& subject, const std::string& detail) {
    std::printf("%-8s %-22s %s\n", state, subject.c_str(), detail.c_str());
    std::fflush(stdout);
  }
  bool ok_ = true;
  std::string required_, optional_;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void check_processor(Report& report) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    report.good("processor", "has AVX2 and FMA");
  else
    report.bad("processor",
               "lacks AVX2 or FMA, which kernels are compiled for; reprise-nvcc -march=x86-64 does without");
}

void check_installation(Report& report, const Installation& here) {
  for (const fs::path& path : {here.nvcc, here.device_compiler, here.runtime, here.headers / "cuda_runtime.h"}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return report.bad("installation", "is not whole: there is no " + path.string());
  }
  report.good("installation", here.prefix.string() + ", version " REPRISE_VERSION);
}

void check_runtime(Report& report, const Installation& here) {
  try {
    const Runtime runtime(here.runtime);
    report.good("runtime", std::to_string(runtime.device_count()) + " device, CUDA " +
                               std::to_string(runtime.cuda_version() / 1000) + ".0");
  } catch (const Failure& failure) {
    report.bad("runtime", failure.what());
  }
}

void check_clang(Report& report) {
  const char* named = std::getenv("REPRISE_CLANG");
  std::string clang = find_program(named ? named : "clang++-19");
  if (clang.empty() && !named) clang = find_program("/usr/lib/llvm-19/bin/clang++");
  if (clang.empty())
    return report.bad(
        "clang 19",
        named ? "REPRISE_CLANG names " + std::string(named) + ", which is no program" : "clang++-19 is not on the path",
        named ? "" : "clang-19");
  const Finished said = run_and_capture({clang, "--version"});
  if (said.status != 0 || said.output.find("clang version 19.") == std::string::npos)
    return report.bad("clang 19", clang + " is not clang 19: " + first_line(said.output), "clang-19");
  report.good("clang 19", clang + ", " + first_line(said.output));
}

// It is linked to libLLVM.so.19.1, which comes with clang.
void check_device_compiler(Report& report, const Installation& here) {
  const Finished said = run_and_capture({here.device_compiler, "--version"});
  if (said.output.find("libLLVM") != std::string::npos)
    return report.bad("LLVM 19", first_line(said.output), "libllvm19");
  if (said.status > 125) return report.bad("device compiler", first_line(said.output));
  report.good("LLVM 19", "the device compiler starts");
}

void check_binutils(Report& report) {
  for (const char* program : {"ld", "objcopy", "ar"})
    if (find_program(program).empty())
      return report.bad("binutils", std::string(program) + " is not on the path", "binutils");
  report.good("binutils", find_program("ld"));
}

void check_optional_parts(Report& report, const Installation& here) {
  std::error_code ignored;
  if (fs::exists(here.libraries / "libreprise_tensor.a", ignored))
    report.good("tensors, cuBLAS", "installed");
  else
    report.optional("tensors, cuBLAS", "not part of this installation, which was built without OpenBLAS");
  if (!here.cccl.empty())
    report.good("Thrust, CUB, libcu++", here.cccl.string());
  else
    report.optional("Thrust, CUB, libcu++",
                    "not installed; to download them (needs python3-pip): " + (here.data / "fetch_cccl").string() +
                        " " + (here.prefix / "include/cccl").string());
  if (void* library = dlopen((here.libraries / "libreprise_cudnn.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    report.good("convolutions", "oneDNN");
    dlclose(library);
  } else {
    report.optional("convolutions", std::string("run by kernels, more slowly than by oneDNN: ") + dlerror());
  }
  if (void* library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL))
    report.good("source lines", "libdw.so.1"), dlclose(library);
  else
    report.optional("source lines", "without libdw.so.1 the log has no files and lines", "libdw1");
  if (fs::exists("/usr/lib/llvm-19/lib/libomp.so", ignored))
    report.good("OpenMP", "/usr/lib/llvm-19/lib/libomp.so");
  else
    report.optional("OpenMP", "not installed; needed by host code with -Xcompiler -fopenmp", "libomp-19-dev");
  for (const char* program : {"cmake", "gdb"})
    if (const std::string found = find_program(program); !found.empty())
      report.good(program, found);
    else
      report.optional(program, "not installed", program);
}

void report_settings(Report& report) {
  for (char** each = environ; *each; ++each) {
    const std::string setting = *each;
    if (setting.starts_with("REPRISE_") || setting.starts_with("CUDA_") || setting.starts_with("NVCC_"))
      report.good("environment", setting);
  }
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void smoke_test(Report& report, const Installation& here) {
  std::string directory = (fs::temp_directory_path() / "reprise-doctor-XXXXXX").string();
  if (!mkdtemp(directory.data()))
    return report.bad("smoke test", "cannot make a folder in " + fs::temp_directory_path().string());
  const fs::path source = fs::path(directory) / "smoke.cu", program = fs::path(directory) / "smoke";
  std::ofstream(source) << smoke_program;
  if (isatty(STDOUT_FILENO))
    std::printf("         compiling a program with a captured graph ...\r"), std::fflush(stdout);
  const auto begin = std::chrono::steady_clock::now();
  const Finished compiled = run_and_capture({here.nvcc, source, "-o", program});
  const double compile_seconds = seconds_since(begin);
  Finished ran;
  if (compiled.status == 0) ran = run_and_capture({program});
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  if (compiled.status != 0) return report.bad("smoke test", "a program does not compile:\n" + compiled.output);
  if (ran.status != 0 || ran.output != smoke_output)
    return report.bad("smoke test",
                      "a program ends with status " + std::to_string(ran.status) + " and prints: " + ran.output);
  char text[100];
  std::snprintf(text, sizeof text, "a captured graph, compiled in %.1f s, ran and is right", compile_seconds);
  report.good("smoke test", text);
}

int examine(bool quick) {
  const Installation here = find_installation();
  Report report;
  check_processor(report);
  check_installation(report, here);
  check_runtime(report, here);
  check_clang(report);
  check_device_compiler(report, here);
  check_binutils(report);
  check_optional_parts(report, here);
  report_settings(report);
  if (report.ok() && !quick) smoke_test(report, here);
  return report.finish();
}

}  // namespace

void add_doctor(CLI::App& application, int& status) {
  const auto quick = std::make_shared<bool>(false);
  CLI::App* command =
      application.add_subcommand("doctor", "Check what is installed, name what is missing, compile and run a program");
  command->add_flag("--quick", *quick, "compile and run nothing");
  command->callback([=, &status] { status = examine(*quick); });
}

}  // namespace reprise_tool

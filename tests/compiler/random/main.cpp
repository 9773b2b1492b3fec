// random_kernels [FIRST COUNT]: compiles and runs the random programs with the seeds FIRST, FIRST + 1, ... and compares
// each with the interpreter. Exits with 1 if any differs; PRINT=1 in the environment prints their source.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../../long_tests.h"
#include "harness.h"
#include "program.h"

namespace {

struct Settings {
  uint64_t first = 0, count = repetitions(50, 200, 500);
  std::string clang, device_cc, prelude, options;
  unsigned batch = 25;  // kernels compiled at once
  unsigned workers = std::max(1u, std::thread::hardware_concurrency());
};

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

void shell(const std::string& command) {
  if (std::system(command.c_str()) == 0) return;
  std::fprintf(stderr, "failed: %s\n", command.c_str());
  std::exit(2);
}

std::string name_of(uint64_t seed) { return "random" + std::to_string(seed); }

// A shared object with the kernels of one batch.
std::string compile(const Settings& settings, uint64_t first, uint64_t count, const std::string& directory) {
  const std::string base = directory + "/batch";
  std::ofstream source(base + ".cu");
  source << "#include \"" << settings.prelude << "\"\n";
  for (uint64_t seed = first; seed < first + count; ++seed) source << spmd::print(spmd::generate(seed), name_of(seed));
  source.close();
  shell(settings.clang +
        " -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -std=c++17 -Xclang -target-sdk-version=12.3 "
        "--cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx83 -O3 -Xclang -disable-llvm-passes -w -emit-llvm "
        "-c " +
        base + ".cu -o " + base + ".bc");
  shell(settings.device_cc + " " + base + ".bc -o " + base + ".o --id random " + settings.options);
  // The output must not depend on addresses. Checked for the first batch only, to save time.
  if (first == settings.first) {
    shell("MALLOC_PERTURB_=85 " + settings.device_cc + " " + base + ".bc -o " + base + ".again.o --id random " +
          settings.options);
    shell("cmp " + base + ".o " + base + ".again.o");
  }
  shell(settings.clang + " -shared " + base + ".o -o " + base + ".so");
  return base + ".so";
}

bool check(uint64_t seed, const std::vector<uint32_t>& input) {
  const spmd::Program program = spmd::generate(seed);
  const std::vector<uint32_t> expected = spmd::interpret(program, input);
  std::vector<uint32_t> found(expected.size(), 0xdeadbeef);
  const spmd::Shape& shape = program.shape;
  const uint32_t* in = input.data();
  uint32_t* out = found.data();
  const bool ended = harness::launch(name_of(seed) + "PKj", {shape.grid}, {shape.block_x, shape.block_y}, 0, in, out,
                                     program.parameters[0], program.parameters[1]);
  if (ended && found == expected) return true;
  std::size_t at = 0;
  while (at < found.size() && found[at] == expected[at]) ++at;
  std::printf("seed %llu: %s thread %zu, v%zu is %08x, expected %08x (grid %u, block %u x %u)\n",
              static_cast<unsigned long long>(seed), ended ? "differs:" : "trapped;", at / spmd::thread_variables,
              at % spmd::thread_variables, at < found.size() ? found[at] : 0, at < found.size() ? expected[at] : 0,
              shape.grid, shape.block_x, shape.block_y);
  if (std::getenv("PRINT")) std::printf("%s", spmd::print(program, name_of(seed)).c_str());
  return false;
}

// Runs every `workers`th batch, from `worker` on. Returns the number of programs that differ.
uint64_t check_batches(const Settings& settings, unsigned worker) {
  std::vector<uint32_t> input(spmd::long_input_size);
  for (uint32_t i = 0; i < input.size(); ++i) input[i] = i * 2654435761u >> (i % 29);
  char pattern[] = "/tmp/random_kernels.XXXXXX";
  const std::string directory = mkdtemp(pattern);
  uint64_t wrong = 0;
  for (uint64_t done = worker * settings.batch; done < settings.count; done += settings.workers * settings.batch) {
    const uint64_t first = settings.first + done, count = std::min<uint64_t>(settings.batch, settings.count - done);
    void* kernels = dlopen(compile(settings, first, count, directory).c_str(), RTLD_NOW);
    if (!kernels) std::fprintf(stderr, "%s\n", dlerror()), std::exit(2);
    for (uint64_t seed = first; seed < first + count; ++seed) wrong += !check(seed, input);
    std::fflush(stdout);
    dlclose(kernels);
  }
  std::filesystem::remove_all(directory);
  return wrong;
}

// One process per worker, since kernels and the runtime keep process-wide state. Returns false if any program differs.
bool check_all(const Settings& settings) {
  std::vector<pid_t> workers;
  for (unsigned worker = 0; worker < settings.workers; ++worker) {
    const pid_t process = fork();
    if (process == 0) std::_Exit(check_batches(settings, worker) ? 1 : 0);
    workers.push_back(process);
  }
  bool right = true;
  for (pid_t process : workers) {
    int status = 0;
    right &= waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (argc > 1) settings.first = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) settings.count = std::strtoull(argv[2], nullptr, 10);
  settings.clang = environment("CLANG", "clang++-19");
  settings.device_cc = environment("DEVICE_CC", "reprise-device-cc");
  settings.prelude =
      std::filesystem::absolute(environment("PRELUDE", "prelude.cuh"));  // sources are in another directory
  settings.options = environment("OPTIONS", "");
  const bool right = check_all(settings);
  std::printf("%llu random kernels: %s\n", static_cast<unsigned long long>(settings.count),
              right ? "all right" : "some wrong");
  return right ? 0 : 1;
}

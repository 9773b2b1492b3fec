#include "harness.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "kernel/cooperative.h"
#include "kernel/traps.h"

namespace harness {
namespace {

std::vector<const reprise_module*>& modules() {
  static std::vector<const reprise_module*> registered;
  return registered;
}

thread_local std::jmp_buf way_out;

struct Aligned {
  explicit Aligned(std::size_t size) : data(static_cast<char*>(std::aligned_alloc(128, (size + 255) / 128 * 128))) {
    std::memset(data, 0xa5, (size + 255) / 128 * 128);  // uninitialised memory must not look like zeros
  }
  ~Aligned() { std::free(data); }
  Aligned(const Aligned&) = delete;
  char* data;
};

// Fills the stack below a thunk with a pattern, so that reads of uninitialised memory show.
[[gnu::noinline]] void dirty_stack() {
  volatile char below[1 << 16];
  for (volatile char& byte : below) byte = char(0xa5);
}

}  // namespace

const reprise_kernel& find_kernel(const std::string& part) {
  for (const reprise_module* module : modules())
    for (uint32_t i = 0; i < module->kernel_count; ++i)
      if (std::string(module->kernels[i].name).find(part) != std::string::npos) return module->kernels[i];
  std::fprintf(stderr, "no kernel named %s\n", part.c_str());
  std::abort();
}

const reprise_variable* find_variable(const std::string& name) {
  for (const reprise_module* module : modules())
    for (uint32_t i = 0; i < module->variable_count; ++i)
      if (module->variables[i].name == name) return &module->variables[i];
  return nullptr;
}

bool run(const reprise_kernel& kernel, Dim grid, Dim block, const std::vector<char>& params, uint32_t dynamic_shared,
         uint64_t blocks_per_call) {
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  const uint64_t threads = (uint64_t(block.x) * block.y * block.z + 31) / 32 * 32;
  Aligned shared(kernel.static_shared + dynamic_shared);
  Aligned scratch(kernel.scratch_per_block + kernel.scratch_per_thread * threads);
  reprise_launch launch{{grid.x, grid.y, grid.z},
                        {block.x, block.y, block.z},
                        0,
                        0,
                        shared.data,
                        scratch.data,
                        dynamic_shared,
                        0,
                        nullptr};
  for (uint64_t begin = 0; begin < blocks; begin = launch.block_end) {
    launch.block_begin = begin;
    launch.block_end = blocks - begin < blocks_per_call ? blocks : begin + blocks_per_call;
    if (setjmp(way_out)) return false;
    dirty_stack();
    kernel.thunk(params.data(), &launch);
  }
  return true;
}

}  // namespace harness

// The harness has no cooperative launches.
bool reprise_runtime::kernel::let_other_blocks_run(const reprise_launch&) { return false; }
void reprise_runtime::kernel::trap_because(const char* reason) {
  std::fprintf(stderr, "%s\n", reason);
  __reprise_trap();
}

extern "C" {

void __reprise_register_module(const reprise_module* module) { harness::modules().push_back(module); }
void __reprise_unregister_module(const reprise_module* module) { std::erase(harness::modules(), module); }
void __reprise_trap() { std::longjmp(harness::way_out, 1); }
void __reprise_assert_fail(const char* message, const char* file, uint32_t line, const char* function,
                           const uint32_t* i) {
  std::printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, i[0],
              i[1], i[2], i[3], i[4], i[5], message);
  std::longjmp(harness::way_out, 1);
}
void __reprise_grid_sync(const reprise_launch*) {}
void __reprise_trigger_programmatic_launch(const reprise_launch*) {}
void __reprise_grid_dependency_synchronize(const reprise_launch*) {}
void __reprise_graph_set_conditional(uint64_t, uint32_t) {}

}  // extern "C"

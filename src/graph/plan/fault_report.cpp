#include "graph/plan/fault_report.h"

#include <signal.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/last_error.h"
#include "base/mutex.h"
#include "base/settings.h"
#include "diagnose/debug_info.h"
#include "diagnose/demangle.h"
#include "diagnose/error_text.h"
#include "diagnose/stack.h"
#include "diagnose/tell.h"
#include "exec/long_waits.h"
#include "graph/define/node.h"
#include "graph/plan/conditional_step.h"
#include "graph/plan/exec.h"
#include "kernel/argument_values.h"
#include "kernel/fault.h"
#include "kernel/registry.h"
#include "memory/address/address_map.h"
#include "memory/address/describe_access.h"

namespace reprise_runtime::graph {
namespace {

using kernel::FaultFrame;
using kernel::FaultState;
using kernel::GuardedKernel;

void tell(const std::string& words) { diagnose::tell(cudaLogLevelError, words); }

// The words that make() returns, made on another thread: libdw needs more stack than a block's or a signal handler's.
template <class Make>
std::string made_elsewhere(const Make& make) {
  std::string words;
  try {
    std::thread([&] { words = make(); }).join();
  } catch (const std::system_error&) {
    words = make();
  }
  return words;
}

std::string text(const void* address) {
  char words[32];
  std::snprintf(words, sizeof words, "0x%zx", reinterpret_cast<uintptr_t>(address));
  return words;
}

std::string triple(const uint32_t* index) {
  char words[64];
  std::snprintf(words, sizeof words, "(%u,%u,%u)", index[0], index[1], index[2]);
  return words;
}

// ---- where ---------------------------------------------------------------------------------------------------------

// "fill(int*, int)+0x24" for the symbols that the device compiler makes of a kernel.
std::string device_function(const diagnose::SourcePlace& place) {
  std::string name = place.function;
  if (const size_t mangled = name.find("._Z"); mangled != std::string::npos) {
    name.erase(0, mangled + 1);
  } else if (const size_t dot = name.find('.'); dot != std::string::npos && name.compare(0, dot, "thunk") == 0) {
    name.erase(0, dot + 1);
  }
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx", place.offset);
  return diagnose::demangled(name.c_str()) + offset;
}

std::string instruction_of(const FaultState& state) {
  const uintptr_t instruction = state.registers[FaultState::instruction_pointer];
  if (instruction == 0) return {};
  const diagnose::SourcePlace place = diagnose::find_source_place(instruction);
  if (place.function.empty()) return "\n  at: " + diagnose::describe_address(reinterpret_cast<char*>(instruction) + 1);
  const std::string where = device_function(place);
  return place.line.empty() ? "\n  at: " + where + " (compile with -lineinfo for the line)"
                            : "\n  at: " + place.line + " in " + where;
}

struct Index {
  uint32_t block[3], thread[3];
  bool knows_block = false, knows_thread = false;
};

// On the thread that faulted.
Index index_of_fiber(const FaultState& state) {
  Index index;
  if (state.knows_thread) {
    std::memcpy(index.block, state.block, sizeof index.block);
    std::memcpy(index.thread, state.thread, sizeof index.thread);
    index.knows_block = index.knows_thread = true;
    return index;
  }
  const uintptr_t stack_pointer = state.registers[FaultState::stack_pointer];
  if (stack_pointer == 0) return index;
  auto* find_fiber = kernel::find_running_fiber.load(std::memory_order_acquire);
  if (find_fiber && find_fiber(reinterpret_cast<void*>(stack_pointer), index.block, index.thread)) {
    index.knows_block = index.knows_thread = true;
  }
  return index;
}

Index index_of(const FaultState& state, const Index& of_fiber) {
  Index index = of_fiber;
  if (index.knows_thread || state.stack_bytes == 0) return index;
  const diagnose::StoppedThread stopped{state.registers, state.stack, state.stack_bytes};
  index.knows_block = diagnose::read_index_variable("blockIdx", stopped, index.block);
  index.knows_thread = diagnose::read_index_variable("threadIdx", stopped, index.thread);
  return index;
}

std::string block_text(uint64_t number, const reprise_launch& launch) {
  const uint64_t row = number / launch.grid[0];
  const uint32_t index[3] = {static_cast<uint32_t>(number % launch.grid[0]),
                             static_cast<uint32_t>(row % launch.grid[1]), static_cast<uint32_t>(row / launch.grid[1])};
  return triple(index);
}

std::string thread_of(const FaultState& state, const reprise_launch& launch, const Index& of_fiber) {
  const Index index = index_of(state, of_fiber);
  if (index.knows_thread && index.knows_block)
    return "\n  thread: " + triple(index.thread) + " of block " + triple(index.block);
  const uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const bool one_block = index.knows_block || launch.block_end - launch.block_begin == 1;
  std::string words = threads == 1 ? "\n  thread: (0,0,0) of " : "\n  thread: one of the threads of ";
  if (index.knows_block) {
    words += "block " + triple(index.block);
  } else if (one_block) {
    words += "block " + block_text(launch.block_begin, launch);
  } else {
    words += "the blocks " + block_text(launch.block_begin, launch) + " to " + block_text(launch.block_end - 1, launch);
  }
  return threads == 1 && one_block ? words : words + " (compile with -G to know which)";
}

// ---- what ----------------------------------------------------------------------------------------------------------

bool is_stack_overflow(const FaultState& state) {
  constexpr uintptr_t reach = 1 << 20;  // of one function's frame
  const uintptr_t stack = state.registers[FaultState::stack_pointer];
  const auto address = reinterpret_cast<uintptr_t>(state.address);
  return state.knows_address && state.writes && address - (stack - reach) < reach + 4096 &&
         memory::lookup(state.address).kind == memory::MemoryKind::pageable;
}

std::string cause_of(cudaError_t error, const FaultState& state) {
  if (state.reason) return state.reason;
  if (error == cudaErrorAssert) return "an assertion failed";
  if (state.signal == 0) return "it called __trap()";
  if (state.signal == SIGFPE) return "an integer division by zero, or one whose result overflows";
  if (state.signal == SIGILL) return "an illegal instruction";
  if (!state.knows_address) return "an access to an address that cannot exist, or that is misaligned";
  if (is_stack_overflow(state))
    return "its stack overflowed: device code recursed too deeply, or its arrays are too large";
  return std::string(state.writes ? "a write to " : "a read of ") + text(state.address);
}

std::string address_of(const FaultState& state) {
  if (!state.knows_address || is_stack_overflow(state)) return {};
  return "\n  address: " + text(state.address) + " is " + memory::describe_access(state.address);
}

std::string launch_of(const kernel::Function& function) {
  const kernel::Function::LaunchSite site = function.launch_site();
  if (!site.caller) return {};
  return std::string(site.among_others ? "\n  last launched, of several places: " : "\n  launched: ") +
         diagnose::describe_address(site.caller);
}

// ---- graphs --------------------------------------------------------------------------------------------------------

// The step with these parameters, in the plan or in the bodies of its conditional nodes.
const Step* find_step(Plan& plan, const void* params) {
  for (Step* step : plan.layout().steps) {
    if (step->kind == Step::Kind::kernel && static_cast<KernelStep*>(step)->params == params) return step;
  }
  for (const ConditionalStep* conditional : plan.conditionals()) {
    for (const Ref<Plan>& body : conditional->bodies) {
      if (const Step* step = find_step(*body, params)) return step;
    }
  }
  return nullptr;
}

std::string node_of(const void* params) {
  std::string words;
  HandleTable<GraphExec>::instance().for_each([&](const Ref<GraphExec>& exec) {
    if (!words.empty()) return;
    Ref<Plan> plan = exec->plan();
    const Step* step = find_step(*plan, params);
    if (!step) return;
    words = "\n  graph: node " + text(step->node.as<void*>());
    if (Ref<Node> node = nodes().find(step->node)) {
      Ref<Graph> graph = graphs().find(node->graph());
      words += graph ? " of graph " + std::to_string(graph->id()) : " of a destroyed graph";
    } else {
      words += " of a destroyed graph";
    }
    words += ", in executable graph " + text(exec->handle().as<void*>());
  });
  return words;
}

// ---- the report ----------------------------------------------------------------------------------------------------

std::string describe(const FaultFrame& frame, const GuardedKernel& running, const Index& of_fiber) {
  const reprise_launch& launch = *running.launch;
  const kernel::Function* function = kernel::find_function_of(running.thunk);
  std::string words = "a kernel faulted: " + cause_of(frame.error, frame.state) + "\n  kernel: ";
  words += function ? function->readable_name() : "one that was unloaded";
  const std::string arguments = function ? kernel::describe_arguments(*function, running.params) : std::string();
  if (!arguments.empty()) words += "\n  arguments: " + arguments;
  words += "\n  grid: " + triple(launch.grid) + ", block: " + triple(launch.block) + ", device " +
           std::to_string(launch.device);
  words += instruction_of(frame.state) + thread_of(frame.state, launch, of_fiber) + address_of(frame.state);
  if (function) words += launch_of(*function);
  words += node_of(running.params);
  words += std::string("\n  result: ") + diagnose::error_name(frame.error) +
           " from now on: the process can no longer use the device";
  return words;
}

void report_kernel(const FaultFrame& frame) {
  const GuardedKernel running = frame.running();
  if (running.launch->grid[0] == 0) return;  // a copy, whose caller explains the fault
  // Several threads may fault at once; the first one is the device's error.
  static Mutex mutex;
  MutexLock lock(mutex);
  const int device = static_cast<int>(running.launch->device);
  if (sticky_error(device) != cudaSuccess) return;
  const Index of_fiber = index_of_fiber(frame.state);
  tell(made_elsewhere([&] { return describe(frame, running, of_fiber); }));
  set_sticky_error(device, frame.error);
}

void report_host_code(const void* address, const void* instruction) {
  if (memory::lookup(address).kind == memory::MemoryKind::pageable) return;
  tell(made_elsewhere([&] {
    return "host code accesses " + text(address) + ", which is " + memory::describe_access(address) +
           "\n  at: " + diagnose::describe_address(static_cast<const char*>(instruction) + 1);
  }));
}

// ---- kernels that do not end ---------------------------------------------------------------------------------------

// The guard that each thread was in at the last look, and for how many looks it has been in it.
struct LongRun {
  uint64_t entries = 0;
  uint32_t looks = 0;
  bool seen = false;
};

std::string describe_long_run(reprise_thunk thunk, uint32_t looks) {
  const kernel::Function* function = thunk ? kernel::find_function_of(thunk) : nullptr;
  if (thunk && !function) return {};  // a copy, or a kernel that has ended
  const double seconds = static_cast<double>(exec::watch_period_ns.load()) / 1e9 * looks;
  char words[200];
  std::snprintf(words, sizeof words,
                " has been running for more than %.0f s; if it never ends, stop the process with Ctrl-C or kill %d; "
                "gdb -p %d shows where it is",
                seconds, getpid(), getpid());
  std::string text = function ? "kernel " + function->readable_name() : "a kernel of a graph";
  text += words;
  return function ? text + launch_of(*function) : text;
}

// Called once in a period.
void look_for_long_runs() {
  static Mutex mutex;
  static auto* runs = new std::map<int, LongRun>;
  MutexLock lock(mutex);
  for (auto& [thread, run] : *runs) run.seen = false;
  struct Context {
    std::map<int, LongRun>& runs;
    std::vector<std::pair<reprise_thunk, uint32_t>> found;
  } context{*runs, {}};
  kernel::for_each_guarded_thread(
      [](void* opaque, int thread, uint64_t entries, reprise_thunk thunk) {
        Context& all = *static_cast<Context*>(opaque);
        LongRun& run = all.runs[thread];
        run.looks = run.entries == entries ? run.looks + 1 : 0;
        run.entries = entries;
        run.seen = true;
        // Again each time its time has doubled.
        if (std::has_single_bit(run.looks)) all.found.emplace_back(thunk, run.looks);
      },
      &context);
  std::erase_if(*runs, [](const auto& each) { return !each.second.seen; });
  for (const auto& [thunk, looks] : context.found) {
    const std::string words =
        made_elsewhere([&, kernel = thunk, times = looks] { return describe_long_run(kernel, times); });
    if (!words.empty()) diagnose::tell(cudaLogLevelWarning, words);
  }
}

}  // namespace

void report_faults() {
  static const bool once = [] {
    kernel::set_fault_reporter(&report_kernel, &report_host_code);
    if (const auto seconds = number_setting("REPRISE_LONG_KERNEL", 1, 1'000'000))
      exec::watch_period_ns.store(*seconds * 1'000'000'000);
    exec::watch.store(&look_for_long_runs, std::memory_order_release);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace reprise_runtime::graph

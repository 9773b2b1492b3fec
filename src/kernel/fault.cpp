#include "kernel/fault.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/thread_local.h"

namespace reprise_runtime::kernel {
namespace {

// What other threads may read of a thread, for reports of work that takes long.
struct Activity {
  std::atomic<uint64_t> entries{0};           // into guards so far
  std::atomic<reprise_thunk> thunk{nullptr};  // that the innermost guard runs; null: there is none
};

REPRISE_THREAD_LOCAL FaultFrame* innermost = nullptr;
REPRISE_THREAD_LOCAL Activity activity;
REPRISE_THREAD_LOCAL bool ready_for_signals = false;

// Stands for a guard around several kernels.
void several_kernels(const void*, const reprise_launch*) {}

void set_innermost(FaultFrame* frame) {
  innermost = frame;
  const reprise_thunk thunk = !frame ? nullptr : frame->batch ? &several_kernels : frame->kernel.thunk;
  activity.thunk.store(thunk, std::memory_order_relaxed);
}

// The threads that have run kernels.
struct GuardedThread {
  int id;
  const Activity* activity;
};
Mutex threads_mutex;
std::vector<GuardedThread>& threads() REPRISE_REQUIRES(threads_mutex) {
  static auto* all = new std::vector<GuardedThread>;  // never destroyed: threads end after the process began to exit
  return *all;
}

// While it lives, the thread is one of those.
struct ListedThread {
  ListedThread() {
    MutexLock lock(threads_mutex);
    threads().push_back({gettid(), &activity});
  }
  ~ListedThread() {
    MutexLock lock(threads_mutex);
    std::erase_if(threads(), [](const GuardedThread& each) { return each.activity == &activity; });
  }
};

std::atomic<void (*)(const void*)> memory_reporter{nullptr};
std::atomic<void (*)(const FaultFrame&)> kernel_reporter{nullptr};
std::atomic<void (*)(const void*, const void*)> host_reporter{nullptr};

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction earlier_actions[NSIG];

cudaError_t error_of(int signal) {
  switch (signal) {
    case SIGILL:
      return cudaErrorIllegalInstruction;
    case SIGFPE:
      return cudaErrorLaunchFailure;
    default:
      return cudaErrorIllegalAddress;
  }
}

constexpr size_t copied_stack_bytes = 16 * 1024;

// Copies the stack above the stack pointer. The system's copy stops where the stack ends.
void copy_stack(FaultState& state) {
  constexpr size_t most = copied_stack_bytes;
  state.stack = nullptr;
  state.stack_bytes = 0;
  void* copy = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return;
  const uintptr_t start = state.registers[FaultState::stack_pointer];
  // Page by page: the system copies nothing of a range that it cannot read in whole.
  constexpr uintptr_t page = 4096;
  for (uintptr_t at = start; at < start + most;) {
    const size_t bytes = page - at % page < start + most - at ? page - at % page : start + most - at;
    const iovec to{static_cast<char*>(copy) + (at - start), bytes}, from{reinterpret_cast<void*>(at), bytes};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(bytes)) break;
    at += bytes;
    state.stack_bytes = at - start;
  }
  state.stack = static_cast<const char*>(copy);
}

FaultState state_of(int signal, const siginfo_t& info, const ucontext_t& context) {
  constexpr int order[FaultState::register_count] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                                     REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                     REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  constexpr greg_t write_access = 2;  // in the error code of a page fault
  FaultState state = {};
  state.signal = signal;
  state.address = info.si_addr;
  // The processor does not tell the address of an access that is not to a valid address at all, or is misaligned.
  state.knows_address = (signal == SIGSEGV || signal == SIGBUS) && info.si_code != SI_KERNEL;
  state.writes = (context.uc_mcontext.gregs[REG_ERR] & write_access) != 0;
  for (unsigned i = 0; i < FaultState::register_count; ++i)
    state.registers[i] = static_cast<uintptr_t>(context.uc_mcontext.gregs[order[i]]);
  return state;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const auto& machine = *static_cast<const ucontext_t*>(context);
  if (innermost) {
    const FaultState state = state_of(signal, *info, machine);
    // Another handler that calls this one (of a sanitizer or a crash reporter) may have blocked signals, and the jump
    // does not return to it.
    pthread_sigmask(SIG_SETMASK, &machine.uc_sigmask, nullptr);
    leave_kernel(error_of(signal), state);
  }
  if (signal == SIGSEGV || signal == SIGBUS) {
    if (auto* report = memory_reporter.load(std::memory_order_acquire)) report(info->si_addr);
    if (auto* report = host_reporter.load(std::memory_order_acquire))
      report(info->si_addr, reinterpret_cast<void*>(machine.uc_mcontext.gregs[REG_RIP]));
  }
  // Not a fault of device code: handled as if this handler were not installed.
  const struct sigaction& earlier = earlier_actions[signal];
  if (earlier.sa_flags & SA_SIGINFO) return earlier.sa_sigaction(signal, info, context);
  if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) return earlier.sa_handler(signal);
  sigaction(signal, &earlier, nullptr);  // The instruction runs again and ends the process as it would have.
}

void install_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  // SA_NODEFER: the handler is left by a jump, so the signal must not stay blocked. SA_ONSTACK: the stack itself may
  // have run out.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : fault_signals) sigaction(signal, &action, &earlier_actions[signal]);
}

// A stack for the handlers, unless the thread has one.
struct SignalStack {
  static constexpr size_t bytes = 64 * 1024;

  SignalStack() {
    stack_t present;
    if (sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t ours = {};
    ours.ss_sp = memory;
    ours.ss_size = bytes;
    if (sigaltstack(&ours, nullptr) == 0) memory_ = memory;
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, bytes);
  }

  void* memory_ = nullptr;
};

[[gnu::noinline, gnu::cold]] void prepare_thread() {
  static const bool installed = (install_handlers(), true);
  static_cast<void>(installed);
  static thread_local SignalStack stack;
  static_cast<void>(stack);
  static thread_local ListedThread listed;
  static_cast<void>(listed);
  ready_for_signals = true;
}

}  // namespace

namespace {

[[gnu::cold, gnu::noinline]] void report(const FaultFrame& frame) {
  if (auto* call = memory_reporter.load(std::memory_order_acquire); call && frame.state.knows_address)
    call(frame.state.address);
  if (auto* call = kernel_reporter.load(std::memory_order_acquire)) call(frame);
  if (frame.state.stack) munmap(const_cast<char*>(frame.state.stack), copied_stack_bytes);
}

}  // namespace

FaultFrame* current_fault_frame() { return innermost; }
void set_current_fault_frame(FaultFrame* frame) { set_innermost(frame); }

[[gnu::noinline]] cudaError_t run_guarded(reprise_thunk thunk, const void* params, const reprise_launch& launch,
                                          const GuardedBatch* batch) {
  if (!ready_for_signals) [[unlikely]]
    prepare_thread();
  FaultFrame frame;
  frame.kernel = {thunk, params, &launch};
  frame.batch = batch;
  frame.outer = innermost;
  set_innermost(&frame);
  activity.entries.store(activity.entries.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (_setjmp(frame.target) == 0) thunk(params, &launch);
  set_innermost(frame.outer);
  if (frame.error != cudaSuccess) [[unlikely]]
    report(frame);
  return frame.error;
}

void for_each_guarded_thread(void (*visit)(void*, int, uint64_t, reprise_thunk), void* context) {
  MutexLock lock(threads_mutex);
  for (const GuardedThread& thread : threads()) {
    const reprise_thunk thunk = thread.activity->thunk.load(std::memory_order_relaxed);
    if (!thunk) continue;
    const uint64_t entries = thread.activity->entries.load(std::memory_order_relaxed);
    visit(context, thread.id, entries, thunk == &several_kernels ? nullptr : thunk);
  }
}

void set_memory_fault_reporter(void (*report)(const void* address)) {
  memory_reporter.store(report, std::memory_order_release);
  if (!ready_for_signals) prepare_thread();
}

void set_fault_reporter(void (*of_kernel)(const FaultFrame&), void (*of_host_code)(const void*, const void*)) {
  kernel_reporter.store(of_kernel, std::memory_order_release);
  host_reporter.store(of_host_code, std::memory_order_release);
}

void leave_kernel(cudaError_t error, const FaultState& state) {
  if (!innermost) {
    std::fprintf(stderr, "reprise: device code trapped on a thread that runs no kernel\n");
    std::abort();
  }
  innermost->error = error;
  innermost->state = state;
  if (state.registers[FaultState::stack_pointer]) copy_stack(innermost->state);
  longjmp(innermost->target, 1);  // Restores no signal mask: _setjmp saved none.
}

}  // namespace reprise_runtime::kernel

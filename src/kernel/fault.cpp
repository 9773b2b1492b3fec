#include "kernel/fault.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/thread_local.h"

namespace reprise_runtime::kernel {
namespace {

REPRISE_THREAD_LOCAL FaultFrame* innermost = nullptr;
REPRISE_THREAD_LOCAL bool ready_for_signals = false;

std::atomic<void (*)(const void*)> reporter{nullptr};

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

void on_signal(int signal, siginfo_t* info, void* context) {
  const bool touched = signal == SIGSEGV || signal == SIGBUS;
  if (innermost) {
    if (touched) innermost->address = info->si_addr;
    // Another handler that calls this one (of a sanitizer or a crash reporter) may have blocked signals, and the jump
    // does not return to it.
    pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(context)->uc_sigmask, nullptr);
    leave_kernel(error_of(signal));
  }
  if (auto* report = reporter.load(std::memory_order_acquire); report && touched) report(info->si_addr);
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
  ready_for_signals = true;
}

}  // namespace

namespace {

[[gnu::cold, gnu::noinline]] void report(const void* address) {
  if (auto* call = reporter.load(std::memory_order_acquire)) call(address);
}

}  // namespace

FaultFrame* current_fault_frame() { return innermost; }
void set_current_fault_frame(FaultFrame* frame) { innermost = frame; }

[[gnu::noinline]] cudaError_t run_guarded(reprise_thunk thunk, const void* params, const reprise_launch& launch) {
  if (!ready_for_signals) [[unlikely]]
    prepare_thread();
  FaultFrame frame;
  frame.outer = innermost;
  innermost = &frame;
  if (_setjmp(frame.target) == 0) thunk(params, &launch);
  innermost = frame.outer;
  if (frame.address) [[unlikely]]
    report(frame.address);
  return frame.error;
}

void set_fault_reporter(void (*report)(const void* address)) {
  reporter.store(report, std::memory_order_release);
  if (!ready_for_signals) prepare_thread();
}

void leave_kernel(cudaError_t error) {
  if (!innermost) {
    std::fprintf(stderr, "reprise: device code trapped on a thread that runs no kernel\n");
    std::abort();
  }
  innermost->error = error;
  longjmp(innermost->target, 1);  // Restores no signal mask: _setjmp saved none.
}

}  // namespace reprise_runtime::kernel

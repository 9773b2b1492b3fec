// Contexts: the primary one of each device, others, and the calling thread's stack of them.
#include "api/entry/arguments.h"
#include "base/device_settings.h"
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "stream/device_flags.h"

using namespace reprise_runtime;
using api::check_device;
using api::check_output;
using diagnose::refuse;
using driver::as_runtime;
using driver::Context;

namespace {

constexpr unsigned known_flags = CU_CTX_FLAGS_MASK;

cudaError_t check_flags(unsigned flags) {
  if (flags & ~known_flags) return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags & ~known_flags);
  const unsigned waits = flags & CU_CTX_SCHED_MASK;
  if (waits & (waits - 1)) return refuse(cudaErrorInvalidValue, "flags 0x%x have more than one CU_CTX_SCHED_*", flags);
  return cudaSuccess;
}

// Calls `use(context)` for a live context.
template <class Use>
cudaError_t with_context(CUcontext handle, Use&& use) {
  Context* context = Context::find(handle);
  if (!context) return refuse(cudaErrorDeviceUninitialized, "%p is not a context", static_cast<void*>(handle));
  return use(*context);
}

// The same where null means the current context.
template <class Use>
cudaError_t with_this_or_current(CUcontext handle, Use&& use) {
  if (handle) return with_context(handle, use);
  Context* current = Context::current();
  return current ? use(*current) : refuse(cudaErrorDeviceUninitialized, "the thread has no current context");
}

cudaError_t retain(CUcontext* out, CUdevice device) {
  if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  Context& primary = Context::primary_of(device);
  ++primary.retained();
  *out = primary.handle();
  return cudaSuccess;
}

cudaError_t release(CUdevice device) {
  if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
  std::atomic<int>& retained = Context::primary_of(device).retained();
  int before = retained.load();
  do {
    if (before == 0) return refuse(cudaErrorDeviceUninitialized, "the primary context is not retained");
  } while (!retained.compare_exchange_weak(before, before - 1));
  // The flags belong to the context, which is gone with its last user.
  return before == 1 && !runtime_uses(device) ? stream::apply_flags(device, 0) : cudaSuccess;
}

cudaError_t set_primary_flags(CUdevice device, unsigned flags) {
  if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  return stream::apply_flags(device, flags & CU_CTX_SCHED_MASK);
}

cudaError_t primary_state(CUdevice device, unsigned* flags, int* active) {
  if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
  if (!flags || !active) return refuse(cudaErrorInvalidValue, "an output pointer is null");
  *flags = device_flags(device) & ~static_cast<unsigned>(CU_CTX_MAP_HOST);
  *active = Context::primary_of(device).retained() > 0 || runtime_uses(device);
  return cudaSuccess;
}

// Runs `call` with another device current.
template <class Call>
cudaError_t on_device(int device, Call&& call) {
  const int before = current_device();
  set_current_device(device);
  const cudaError_t status = call();
  set_current_device(before);
  return status;
}

cudaError_t reset_primary(CUdevice device) {
  if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
  return on_device(device, cudaDeviceReset);
}

cudaError_t create(CUcontext* out, const CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  if (parameters && (parameters->execAffinityParams || parameters->cigParams)) {
    return refuse(cudaErrorNotSupported, "contexts with execution affinity or shared with graphics are not supported");
  }
  Context& made = Context::create(device, flags);
  Context::push(made);
  *out = made.handle();
  return cudaSuccess;
}

cudaError_t destroy(CUcontext handle) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the context is null");
  return with_context(handle, [](Context& context) {
    if (context.primary()) {
      return refuse(cudaErrorDeviceUninitialized, "a primary context is released, not destroyed");
    }
    if (Context::current() == &context) static_cast<void>(Context::pop());
    context.destroy();
    return cudaSuccess;
  });
}

cudaError_t push(CUcontext handle) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the context is null");
  return with_context(handle, [](Context& context) {
    Context::push(context);
    return cudaSuccess;
  });
}

cudaError_t pop(CUcontext* out) {
  Context* popped = Context::pop();
  if (out && popped) *out = popped->handle();
  return popped ? cudaSuccess : refuse(cudaErrorDeviceUninitialized, "the thread has no current context");
}

cudaError_t set_current(CUcontext handle) {
  if (!handle) {
    Context::set_current(nullptr);
    return cudaSuccess;
  }
  return with_context(handle, [](Context& context) {
    Context::set_current(&context);
    return cudaSuccess;
  });
}

cudaError_t get_current(CUcontext* out) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  Context* current = Context::current();
  *out = current ? current->handle() : nullptr;
  return cudaSuccess;
}

unsigned flags_of(Context& context) {
  return context.primary() ? device_flags(context.device()) : context.flags().load();
}

template <class T, class Get>
cudaError_t tell(T* out, CUcontext handle, Get&& get) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  return with_this_or_current(handle, [&](Context& context) {
    *out = get(context);
    return cudaSuccess;
  });
}

cudaError_t set_flags(unsigned flags) {
  if (cudaError_t status = check_flags(flags); status != cudaSuccess) return status;
  Context& current = *Context::current();
  current.flags() = flags;
  return current.primary() ? stream::apply_flags(current.device(), flags & CU_CTX_SCHED_MASK) : cudaSuccess;
}

}  // namespace

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  return driver::entry_initialised([&] { return retain(pctx, dev); }, ARGUMENTS(pctx, dev));
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev) {
  return driver::entry_initialised([&] { return release(dev); }, ARGUMENTS(dev));
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
  return driver::entry_initialised([&] { return set_primary_flags(dev, flags); }, ARGUMENTS(dev, flags));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
  return driver::entry_initialised([&] { return primary_state(dev, flags, active); }, ARGUMENTS(dev, flags, active));
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
  return driver::entry_initialised([&] { return reset_primary(dev); }, ARGUMENTS(dev));
}

CUresult cuCtxCreate(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev) {
  return driver::entry_initialised([&] { return create(pctx, ctxCreateParams, flags, dev); },
                                   ARGUMENTS(pctx, ctxCreateParams, flags, dev));
}

CUresult cuCtxDestroy(CUcontext ctx) {
  return driver::entry_initialised([&] { return destroy(ctx); }, ARGUMENTS(ctx));
}

CUresult cuCtxPushCurrent(CUcontext ctx) {
  return driver::entry_initialised([&] { return push(ctx); }, ARGUMENTS(ctx));
}

CUresult cuCtxPopCurrent(CUcontext* pctx) {
  return driver::entry([&] { return pop(pctx); }, ARGUMENTS(pctx));
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
  return driver::entry_initialised([&] { return set_current(ctx); }, ARGUMENTS(ctx));
}

CUresult cuCtxGetCurrent(CUcontext* pctx) {
  return driver::entry_initialised([&] { return get_current(pctx); }, ARGUMENTS(pctx));
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return driver::entry([&] { return tell(device, nullptr, [](Context& context) { return context.device(); }); },
                       ARGUMENTS(device));
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
  return driver::entry([&] { return tell(device, ctx, [](Context& context) { return context.device(); }); },
                       ARGUMENTS(device, ctx));
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  return driver::entry([&] { return tell(flags, nullptr, flags_of); }, ARGUMENTS(flags));
}

CUresult cuCtxSetFlags(unsigned int flags) {
  return driver::entry([&] { return set_flags(flags); }, ARGUMENTS(flags));
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  return driver::entry([&] { return tell(ctxId, ctx, [](Context& context) { return context.id(); }); },
                       ARGUMENTS(ctx, ctxId));
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  return driver::entry([&] { return tell(version, ctx, [](Context&) { return 3020u; }); }, ARGUMENTS(ctx, version));
}

CUresult cuCtxSynchronize() { return driver::entry(cudaDeviceSynchronize, NO_ARGUMENTS); }
CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  return driver::entry(
      [&] {
        return with_this_or_current(
            ctx, [](Context& context) { return on_device(context.device(), cudaDeviceSynchronize); });
      },
      ARGUMENTS(ctx));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return driver::entry([&] { return cudaDeviceSetLimit(as_runtime(limit), value); }, ARGUMENTS(limit, value));
}

CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit) {
  return driver::entry([&] { return cudaDeviceGetLimit(pvalue, as_runtime(limit)); }, ARGUMENTS(pvalue, limit));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
  return driver::entry([&] { return cudaDeviceGetCacheConfig(as_runtime(pconfig)); }, ARGUMENTS(pconfig));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return driver::entry([&] { return cudaDeviceSetCacheConfig(as_runtime(config)); }, ARGUMENTS(config));
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  return driver::entry([&] { return cudaDeviceGetSharedMemConfig(as_runtime(pConfig)); }, ARGUMENTS(pConfig));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return driver::entry([&] { return cudaDeviceSetSharedMemConfig(as_runtime(config)); }, ARGUMENTS(config));
}

CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return driver::entry([&] { return cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority); },
                       ARGUMENTS(leastPriority, greatestPriority));
}

CUresult cuCtxResetPersistingL2Cache() { return driver::entry(cudaCtxResetPersistingL2Cache, NO_ARGUMENTS); }
CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  return driver::entry(
      [&] {
        return with_context(peerContext,
                            [&](Context& peer) { return cudaDeviceEnablePeerAccess(peer.device(), Flags); });
      },
      ARGUMENTS(peerContext, Flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  return driver::entry(
      [&] {
        return with_context(peerContext, [](Context& peer) { return cudaDeviceDisablePeerAccess(peer.device()); });
      },
      ARGUMENTS(peerContext));
}
}

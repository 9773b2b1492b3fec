// Streams, their attributes, and host functions in them.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;
using driver::Context;

namespace {

cudaError_t get_context(CUstream stream, CUcontext* out) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  int device = 0;
  if (cudaError_t status = cudaStreamGetDevice(stream, &device); status != cudaSuccess) return status;
  Context* owner = Context::of_stream(stream);
  *out = (owner ? *owner : Context::primary_of(device)).handle();
  return cudaSuccess;
}

// No stream belongs to a green context.
cudaError_t get_green_context(CUstream stream, CUgreenCtx* out) {
  CUcontext context = nullptr;
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  const cudaError_t status = get_context(stream, &context);
  if (status == cudaSuccess) *out = nullptr;
  return status;
}

// A stream whose context is destroyed says so.
cudaError_t check_alive(CUstream stream, cudaError_t status) {
  if (status != cudaErrorInvalidResourceHandle) return status;
  Context* owner = Context::owner_of(stream);
  return owner && owner->destroyed() ? refuse(cudaErrorContextIsDestroyed, "the stream's context is destroyed")
                                     : status;
}

// The runtime's callback takes an error where the driver's takes a result.
struct Callback {
  CUstreamCallback function;
  void* user_data;
};

void call_back(cudaStream_t stream, cudaError_t status, void* data) {
  const Callback callback = *static_cast<Callback*>(data);
  delete static_cast<Callback*>(data);
  callback.function(stream, diagnose::result_of(status), callback.user_data);
}

cudaError_t add_callback(CUstream stream, CUstreamCallback function, void* user_data, unsigned flags) {
  if (!function) return refuse(cudaErrorInvalidValue, "the callback is null");
  auto* callback = new Callback{function, user_data};
  const cudaError_t status = cudaStreamAddCallback(stream, call_back, callback, flags);
  if (status != cudaSuccess) delete callback;
  return status;
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
  return driver::entry([&] { return cudaStreamCreateWithFlags(phStream, Flags); }, ARGUMENTS(phStream, Flags));
}

CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
  return driver::entry([&] { return cudaStreamCreateWithPriority(phStream, flags, priority); },
                       ARGUMENTS(phStream, flags, priority));
}

CUresult cuStreamDestroy(CUstream hStream) {
  return driver::entry([&] { return cudaStreamDestroy(hStream); }, ARGUMENTS(hStream));
}

CALL_PTSZ(cuStreamGetPriority, (CUstream hStream, int* priority), (hStream, priority),
          cudaStreamGetPriority(hStream, priority))
CALL_PTSZ(cuStreamGetDevice, (CUstream hStream, CUdevice* device), (hStream, device),
          cudaStreamGetDevice(hStream, device))
CALL_PTSZ(cuStreamGetFlags, (CUstream hStream, unsigned int* flags), (hStream, flags),
          cudaStreamGetFlags(hStream, flags))
CALL_PTSZ(cuStreamGetId, (CUstream hStream, unsigned long long* streamId), (hStream, streamId),
          cudaStreamGetId(hStream, streamId))
CALL_PTSZ(cuStreamGetCtx, (CUstream hStream, CUcontext* pctx), (hStream, pctx), get_context(hStream, pctx))
CALL_PTSZ(cuStreamGetCtx_v2, (CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx), (hStream, pCtx, pGreenCtx),
          (pGreenCtx ? void(*pGreenCtx = nullptr) : void(), get_context(hStream, pCtx)))
CUresult cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx* phCtx) {
  return driver::entry([&] { return get_green_context(hStream, phCtx); }, ARGUMENTS(hStream, phCtx));
}
CALL_PTSZ(cuStreamWaitEvent, (CUstream hStream, CUevent hEvent, unsigned int Flags), (hStream, hEvent, Flags),
          cudaStreamWaitEvent(hStream, hEvent, Flags))
CALL_PTSZ(cuStreamAddCallback, (CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags),
          (hStream, callback, userData, flags), add_callback(hStream, callback, userData, flags))
CALL_PTSZ(cuStreamQuery, (CUstream hStream), (hStream), check_alive(hStream, cudaStreamQuery(hStream)))
CALL_PTSZ(cuStreamSynchronize, (CUstream hStream), (hStream), check_alive(hStream, cudaStreamSynchronize(hStream)))
CALL_PTSZ(cuStreamGetAttribute, (CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out),
          (hStream, attr, value_out), cudaStreamGetAttribute(hStream, as_runtime(attr), as_runtime(value_out)))
CALL_PTSZ(cuStreamSetAttribute, (CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value),
          (hStream, attr, value), cudaStreamSetAttribute(hStream, as_runtime(attr), as_runtime(value)))

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  return driver::entry([&] { return cudaStreamCopyAttributes(dst, src); }, ARGUMENTS(dst, src));
}

REPRISE_EXPORT CUresult cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src) {
  return cuStreamCopyAttributes(dst ? dst : CU_STREAM_PER_THREAD, src ? src : CU_STREAM_PER_THREAD);
}

// A null function is refused before the context is looked for.
CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  const auto call = [&] {
    if (!fn) return refuse(cudaErrorInvalidValue, "the function is null");
    if (!Context::current()) return refuse(cudaErrorDeviceUninitialized, "the thread has no current context");
    return cudaLaunchHostFunc(hStream, fn, userData);
  };
  return driver::entry_initialised(call, ARGUMENTS(hStream, fn, userData));
}
REPRISE_EXPORT CUresult cuLaunchHostFunc_ptsz(CUstream hStream, CUhostFn fn, void* userData) {
  return cuLaunchHostFunc(hStream ? hStream : CU_STREAM_PER_THREAD, fn, userData);
}
}

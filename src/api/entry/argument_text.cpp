#include "api/entry/argument_text.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <string_view>

#include "api/entry/structure_text.h"
#include "diagnose/source_name.h"
#include "stream/stream.h"

namespace reprise_runtime::api {
namespace {

std::string text_of_pointer(const void* pointer) {
  if (!pointer) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

// The driver API passes addresses as numbers; no other parameter is so large.
std::string text_of_unsigned(uint64_t value) {
  return value >> 32 ? text_of_pointer(reinterpret_cast<const void*>(value)) : std::to_string(value);
}

// The string in quotation marks, or its address if it cannot be read.
std::string text_of_string(const char* string) {
  constexpr size_t longest = 80;
  if (!string) return "null";
  std::string text = "\"";
  char next = 0;
  for (size_t i = 0; i < longest; ++i) {
    if (!read_anywhere(string + i, &next, 1)) return text_of_pointer(string);
    if (next == '\0') return text + '"';
    text += next;
  }
  return text + "...\"";
}

// Bits of a call's parameter `flags`, by name.
struct FlagName {
  std::string_view call;
  uint64_t bit;
  const char* name;
};
#define FLAG(call, flag) {call, flag, #flag}
constexpr FlagName flag_names[] = {
    FLAG("cudaStreamCreateWithFlags", cudaStreamNonBlocking),
    FLAG("cudaStreamCreateWithPriority", cudaStreamNonBlocking),
    FLAG("cudaEventCreateWithFlags", cudaEventBlockingSync),
    FLAG("cudaEventCreateWithFlags", cudaEventDisableTiming),
    FLAG("cudaEventCreateWithFlags", cudaEventInterprocess),
    FLAG("cudaSetDeviceFlags", cudaDeviceScheduleSpin),
    FLAG("cudaSetDeviceFlags", cudaDeviceScheduleYield),
    FLAG("cudaSetDeviceFlags", cudaDeviceScheduleBlockingSync),
    FLAG("cudaSetDeviceFlags", cudaDeviceMapHost),
    FLAG("cudaSetDeviceFlags", cudaDeviceLmemResizeToMax),
    FLAG("cudaSetDeviceFlags", cudaDeviceSyncMemops),
    FLAG("cudaIpcOpenMemHandle", cudaIpcMemLazyEnablePeerAccess),
    FLAG("cudaGraphRetainUserObject", cudaGraphUserObjectMove),
    FLAG("cudaUserObjectCreate", cudaUserObjectNoDestructorSync),
    FLAG("cudaGraphConditionalHandleCreate", cudaGraphCondAssignDefault),
    FLAG("cudaHostAlloc", cudaHostAllocPortable),
    FLAG("cudaHostAlloc", cudaHostAllocMapped),
    FLAG("cudaHostAlloc", cudaHostAllocWriteCombined),
    FLAG("cudaHostRegister", cudaHostRegisterPortable),
    FLAG("cudaHostRegister", cudaHostRegisterMapped),
    FLAG("cudaHostRegister", cudaHostRegisterIoMemory),
    FLAG("cudaHostRegister", cudaHostRegisterReadOnly),
    FLAG("cudaMallocManaged", cudaMemAttachGlobal),
    FLAG("cudaMallocManaged", cudaMemAttachHost),
    FLAG("cudaStreamAttachMemAsync", cudaMemAttachGlobal),
    FLAG("cudaStreamAttachMemAsync", cudaMemAttachHost),
    FLAG("cudaStreamAttachMemAsync", cudaMemAttachSingle),
    FLAG("cudaEventRecordWithFlags", cudaEventRecordExternal),
    FLAG("cudaStreamWaitEvent", cudaEventWaitExternal),
    FLAG("cudaStreamUpdateCaptureDependencies", cudaStreamSetCaptureDependencies),
    FLAG("cudaGraphInstantiate", cudaGraphInstantiateFlagAutoFreeOnLaunch),
    FLAG("cudaGraphInstantiate", cudaGraphInstantiateFlagUpload),
    FLAG("cudaGraphInstantiate", cudaGraphInstantiateFlagDeviceLaunch),
    FLAG("cudaGraphInstantiate", cudaGraphInstantiateFlagUseNodePriority),
    FLAG("cudaGraphInstantiateWithFlags", cudaGraphInstantiateFlagAutoFreeOnLaunch),
    FLAG("cudaGraphInstantiateWithFlags", cudaGraphInstantiateFlagUpload),
    FLAG("cudaGraphInstantiateWithFlags", cudaGraphInstantiateFlagDeviceLaunch),
    FLAG("cudaGraphInstantiateWithFlags", cudaGraphInstantiateFlagUseNodePriority),
    FLAG("cuStreamCreate", CU_STREAM_NON_BLOCKING),
    FLAG("cuStreamCreateWithPriority", CU_STREAM_NON_BLOCKING),
    FLAG("cuEventCreate", CU_EVENT_BLOCKING_SYNC),
    FLAG("cuEventCreate", CU_EVENT_DISABLE_TIMING),
    FLAG("cuEventCreate", CU_EVENT_INTERPROCESS),
    FLAG("cuMemHostAlloc", CU_MEMHOSTALLOC_PORTABLE),
    FLAG("cuMemHostAlloc", CU_MEMHOSTALLOC_DEVICEMAP),
    FLAG("cuMemHostAlloc", CU_MEMHOSTALLOC_WRITECOMBINED),
    FLAG("cuMemAllocManaged", CU_MEM_ATTACH_GLOBAL),
    FLAG("cuMemAllocManaged", CU_MEM_ATTACH_HOST),
    FLAG("cuGraphInstantiateWithFlags", CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH),
    FLAG("cuGraphInstantiateWithFlags", CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD),
    FLAG("cuGraphInstantiateWithFlags", CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH),
    FLAG("cuGraphInstantiateWithFlags", CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY),
};
#undef FLAG

std::string name_flags(std::string_view call, uint64_t flags) {
  std::string text;
  for (const FlagName& flag : flag_names) {
    if (flag.call != call || !(flags & flag.bit)) continue;
    text += (text.empty() ? "" : "|") + std::string(flag.name);
    flags &= ~flag.bit;
  }
  if (flags == 0 && !text.empty()) return text;
  return text + (text.empty() ? "" : "|") + std::to_string(flags);
}

template <class Enum>
struct EnumName {
  Enum value;
  const char* name;
};
#define NAME(value) {value, #value}
constexpr EnumName<cudaMemcpyKind> kinds[] = {NAME(cudaMemcpyHostToHost), NAME(cudaMemcpyHostToDevice),
                                              NAME(cudaMemcpyDeviceToHost), NAME(cudaMemcpyDeviceToDevice),
                                              NAME(cudaMemcpyDefault)};
constexpr EnumName<cudaStreamCaptureMode> modes[] = {
    NAME(cudaStreamCaptureModeGlobal), NAME(cudaStreamCaptureModeThreadLocal), NAME(cudaStreamCaptureModeRelaxed)};
constexpr EnumName<cudaMemoryAdvise> advices[] = {
    NAME(cudaMemAdviseSetReadMostly),        NAME(cudaMemAdviseUnsetReadMostly),
    NAME(cudaMemAdviseSetPreferredLocation), NAME(cudaMemAdviseUnsetPreferredLocation),
    NAME(cudaMemAdviseSetAccessedBy),        NAME(cudaMemAdviseUnsetAccessedBy)};
constexpr EnumName<cudaMemLocationType> locations[] = {NAME(cudaMemLocationTypeDevice), NAME(cudaMemLocationTypeHost),
                                                       NAME(cudaMemLocationTypeHostNuma),
                                                       NAME(cudaMemLocationTypeHostNumaCurrent)};
#undef NAME

template <class Enum, size_t count>
std::string name_of(Enum value, const EnumName<Enum> (&names)[count]) {
  for (const EnumName<Enum>& each : names) {
    if (each.value == value) return each.name;
  }
  return std::to_string(static_cast<int>(value));
}

std::string name_of_stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return "the legacy stream";
  // look_up does not overwrite the reason for which the call was refused.
  Ref<stream::Stream> found = stream::look_up(handle);
  if (!found) return "stream " + text_of_pointer(handle) + " (no such stream)";
  return "stream " + std::to_string(found->id());
}

}  // namespace

ArgumentText::ArgumentText(const void* pointer) : text(text_of_pointer(pointer)) {}
ArgumentText::ArgumentText(uint64_t value, bool is_signed)
    : text(is_signed ? std::to_string(static_cast<std::int64_t>(value)) : text_of_unsigned(value)),
      integer(true),
      number(value) {}
ArgumentText::ArgumentText(const char* string) : text(text_of_string(string)) {}
ArgumentText::ArgumentText(const cudaIpcEventHandle_t&) : text("{64 bytes}") {}
ArgumentText::ArgumentText(const cudaIpcMemHandle_t&) : text("{64 bytes}") {}
ArgumentText::ArgumentText(size_t size) : text(std::to_string(size)), integer(true), number(size) {}
ArgumentText::ArgumentText(cudaStream_t stream) : text(name_of_stream(stream)), named(false) {}
ArgumentText::ArgumentText(cudaEvent_t event) : text("event " + text_of_pointer(event)), named(false) {}
ArgumentText::ArgumentText(cudaMemcpyKind kind) : text(name_of(kind, kinds)) {}
ArgumentText::ArgumentText(cudaStreamCaptureMode mode) : text(name_of(mode, modes)) {}
ArgumentText::ArgumentText(cudaMemoryAdvise advice) : text(name_of(advice, advices)) {}
ArgumentText::ArgumentText(dim3 extent)
    : text("(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) + ")") {}
ArgumentText::ArgumentText(cudaExtent extent)
    : text("(" + std::to_string(extent.width) + ", " + std::to_string(extent.height) + ", " +
           std::to_string(extent.depth) + ")") {}
ArgumentText::ArgumentText(cudaPitchedPtr pointer)
    : text(text_of_pointer(pointer.ptr) + " of pitch " + std::to_string(pointer.pitch)) {}
ArgumentText::ArgumentText(cudaMemLocation location)
    : text(name_of(location.type, locations) + " " + std::to_string(location.id)) {}

std::string list_arguments(const char* call, const char* names, std::initializer_list<ArgumentText> values) {
  const std::string_view name = diagnose::source_name(call);
  std::string_view rest = names;
  std::string text;
  for (const ArgumentText& value : values) {
    const size_t end = rest.find(", ");
    const std::string_view parameter = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 2);
    if (!text.empty()) text += ", ";
    if (value.named) text += std::string(parameter) + "=";
    text +=
        (parameter == "flags" || parameter == "Flags") && value.integer ? name_flags(name, value.number) : value.text;
  }
  return text;
}

}  // namespace reprise_runtime::api

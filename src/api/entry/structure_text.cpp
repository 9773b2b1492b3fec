#include "api/entry/structure_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

#include "api/entry/argument_text.h"

namespace reprise_runtime::api {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }
std::string text_of(const cudaPos& place) {
  return "(" + number(place.x) + ", " + number(place.y) + ", " + number(place.z) + ")";
}
template <class Value>
std::string text_of(const Value& value) {
  return ArgumentText(value).text;
}

// "0x7ffe {a=1, b=2}", or only the address if the structure cannot be read.
template <class Structure, class Describe>
std::string described(const Structure* address, Describe&& describe) {
  const std::optional<Structure> read = read_structure(address);
  const std::string place = text_of(static_cast<const void*>(address));
  return read ? place + " {" + describe(*read) + "}" : place;
}

std::string describe_properties(const cudaMemPoolProps& props) {
  return "allocType=" + number(props.allocType) + ", handleTypes=" + number(props.handleTypes) +
         ", location=" + text_of(props.location) + ", maxSize=" + number(props.maxSize);
}

// The parameters of a kernel or memset node, which come in two structures each.
template <class Kernel>
std::string describe_kernel(const Kernel& p) {
  return "func=" + text_of(static_cast<const void*>(p.func)) + ", gridDim=" + text_of(p.gridDim) +
         ", blockDim=" + text_of(p.blockDim) + ", sharedMemBytes=" + text_of(p.sharedMemBytes);
}
template <class Set>
std::string describe_set(const Set& p) {
  return "dst=" + text_of(static_cast<const void*>(p.dst)) + ", pitch=" + text_of(p.pitch) +
         ", value=" + text_of(p.value) + ", elementSize=" + text_of(p.elementSize) + ", width=" + text_of(p.width) +
         ", height=" + text_of(p.height);
}

const char* name_of(cudaLaunchAttributeID id) {
  switch (id) {
#define NAME(value) \
  case value:       \
    return #value;
    NAME(cudaLaunchAttributeAccessPolicyWindow)
    NAME(cudaLaunchAttributeCooperative)
    NAME(cudaLaunchAttributeClusterDimension)
    NAME(cudaLaunchAttributeProgrammaticStreamSerialization)
    NAME(cudaLaunchAttributeProgrammaticEvent)
    NAME(cudaLaunchAttributePriority)
    NAME(cudaLaunchAttributeMemSyncDomainMap)
    NAME(cudaLaunchAttributeMemSyncDomain)
    NAME(cudaLaunchAttributeLaunchCompletionEvent)
    NAME(cudaLaunchAttributeDeviceUpdatableKernelNode)
#undef NAME
    default:
      return nullptr;
  }
}

std::string describe_attributes(const cudaLaunchConfig_t& config) {
  constexpr unsigned most = 32;  // more attributes than CUDA has
  std::string text;
  for (unsigned i = 0; i < config.numAttrs && i < most; ++i) {
    const std::optional<cudaLaunchAttribute> attribute = read_structure(config.attrs + i);
    if (!attribute) break;
    const char* name = name_of(attribute->id);
    text += (i ? ", " : "") + (name ? std::string(name) : number(attribute->id));
  }
  return "[" + text + "]";
}

}  // namespace

bool read_anywhere(const void* address, void* out, std::size_t bytes) {
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (memory < 0) return false;
  const ssize_t got = pread(memory, out, bytes, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(address)));
  close(memory);
  return got == static_cast<ssize_t>(bytes);
}

ArgumentText::ArgumentText(const cudaMemcpy3DParms* parameters)
    : text(described(parameters, [](const cudaMemcpy3DParms& p) {
        return "srcPtr=" + text_of(p.srcPtr) + ", srcPos=" + text_of(p.srcPos) + ", dstPtr=" + text_of(p.dstPtr) +
               ", dstPos=" + text_of(p.dstPos) + ", extent=" + text_of(p.extent) + ", kind=" + text_of(p.kind);
      })) {}

ArgumentText::ArgumentText(const cudaMemcpy3DPeerParms* parameters)
    : text(described(parameters, [](const cudaMemcpy3DPeerParms& p) {
        return "srcPtr=" + text_of(p.srcPtr) + ", srcPos=" + text_of(p.srcPos) + ", srcDevice=" + text_of(p.srcDevice) +
               ", dstPtr=" + text_of(p.dstPtr) + ", dstPos=" + text_of(p.dstPos) +
               ", dstDevice=" + text_of(p.dstDevice) + ", extent=" + text_of(p.extent);
      })) {}

ArgumentText::ArgumentText(const cudaLaunchConfig_t* config)
    : text(described(config, [](const cudaLaunchConfig_t& c) {
        return "gridDim=" + text_of(c.gridDim) + ", blockDim=" + text_of(c.blockDim) +
               ", dynamicSmemBytes=" + text_of(c.dynamicSmemBytes) + ", " + text_of(c.stream) +
               ", attrs=" + describe_attributes(c);
      })) {}

ArgumentText::ArgumentText(const cudaGraphInstantiateParams* parameters)
    : text(described(parameters, [](const cudaGraphInstantiateParams& p) {
        return "flags=" + std::to_string(p.flags) + ", uploadStream=" + text_of(p.uploadStream);
      })) {}

ArgumentText::ArgumentText(const cudaKernelNodeParams* parameters)
    : text(described(parameters, describe_kernel<cudaKernelNodeParams>)) {}

ArgumentText::ArgumentText(const cudaMemsetParams* parameters)
    : text(described(parameters, describe_set<cudaMemsetParams>)) {}

ArgumentText::ArgumentText(const cudaHostNodeParams* parameters)
    : text(described(parameters, [](const cudaHostNodeParams& p) {
        return "fn=" + text_of(p.fn) + ", userData=" + text_of(static_cast<const void*>(p.userData));
      })) {}

ArgumentText::ArgumentText(const cudaGraphNodeParams* parameters)
    : text(described(parameters, [](const cudaGraphNodeParams& p) {
        if (p.type == cudaGraphNodeTypeKernel) return "type=kernel, " + describe_kernel(p.kernel);
        if (p.type == cudaGraphNodeTypeMemset) return "type=memset, " + describe_set(p.memset);
        return "type=" + std::to_string(static_cast<int>(p.type));
      })) {}

ArgumentText::ArgumentText(const cudaMemLocation* location)
    : text(described(location, [](const cudaMemLocation& l) { return text_of(l); })) {}

ArgumentText::ArgumentText(const cudaMemPoolProps* properties) : text(described(properties, describe_properties)) {}

ArgumentText::ArgumentText(const cudaMemAllocNodeParams* parameters)
    : text(described(parameters, [](const cudaMemAllocNodeParams& p) {
        return describe_properties(p.poolProps) + ", accessDescCount=" + text_of(p.accessDescCount) +
               ", bytesize=" + text_of(p.bytesize);
      })) {}

}  // namespace reprise_runtime::api

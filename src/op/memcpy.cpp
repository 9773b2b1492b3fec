#include "op/memcpy.h"

#include "base/devices.h"
#include "diagnose/refuse.h"
#include "op/memory_check.h"
#include "op/symbol.h"

namespace reprise_runtime::op {
namespace {

using diagnose::refuse;
using memory::BoxCopy;
using memory::Extent;
using memory::Place;

bool known(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }

cudaError_t unknown_kind(cudaMemcpyKind kind) {
  return refuse(cudaErrorInvalidMemcpyDirection, "%d is not a cudaMemcpyKind", static_cast<int>(kind));
}

// The address decides, not the kind: CUDA refuses a kind only if it declares pageable memory to be the device's.
Side side_of_destination(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ? Side::device : Side::any;
}

Side side_of_source(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ? Side::device : Side::any;
}

Place place_of(const void* address, size_t pitch, size_t slice) {
  return {static_cast<char*>(const_cast<void*>(address)), pitch, slice};
}

cudaError_t check_both_sides(Memcpy& copy) {
  if (!known(copy.kind)) return unknown_kind(copy.kind);
  const BoxCopy& box = copy.box;
  const cudaError_t status =
      check_memory(box.to, box.extent, side_of_destination(copy.kind), Use::destination, copy.to);
  if (status != cudaSuccess) return status;
  return check_memory(box.from, box.extent, side_of_source(copy.kind), Use::source, copy.from);
}

// The last step of every build; pitches and extents are valid and not 0. Inlined to avoid a store-forwarding stall when
// fields that were just written are copied as a whole.
[[gnu::always_inline]] inline Result<Memcpy> checked(const BoxCopy& box, cudaMemcpyKind kind) {
  Result<Memcpy> built(Memcpy{box, kind});
  if (cudaError_t status = check_both_sides(*built); status != cudaSuccess) [[unlikely]]
    built = status;
  return built;
}

// cudaErrorInvalidPitchValue if there is more than one row; else cudaErrorInvalidValue.
cudaError_t check_pitch(size_t pitch, size_t width, bool several_rows, const char* name) {
  if (pitch >= width) return cudaSuccess;
  return refuse(several_rows ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue,
                "the %s's pitch %zu is less than the width %zu", name, pitch, width);
}

// One side of a three-dimensional copy: the place of the box in pitched memory, which must contain it.
cudaError_t locate(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent, const char* name,
                   Place& place) {
  const bool several_slices = extent.depth > 1;
  if (cudaError_t status = check_pitch(memory.pitch, extent.width, several_slices || extent.height > 1, name);
      status != cudaSuccess) {
    return status;
  }
  if (extent.height > memory.ysize) {
    return refuse(several_slices ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue,
                  "the %s's slices have %zu rows, fewer than the height %zu", name, memory.ysize, extent.height);
  }
  if (position.x > memory.pitch - extent.width || position.y > memory.ysize - extent.height) {
    return refuse(cudaErrorInvalidValue, "the %s has rows of %zu bytes in slices of %zu; the box starts at %zu, %zu",
                  name, memory.pitch, memory.ysize, position.x, position.y);
  }
  size_t slice = 0, before = 0, rows = 0;
  if (__builtin_mul_overflow(memory.pitch, memory.ysize, &slice) ||
      __builtin_mul_overflow(slice, position.z, &before) || __builtin_mul_overflow(memory.pitch, position.y, &rows) ||
      __builtin_add_overflow(before, rows, &before) || __builtin_add_overflow(before, position.x, &before)) {
    return refuse(cudaErrorInvalidValue, "the %s's position exceeds the address space", name);
  }
  place = place_of(static_cast<char*>(memory.ptr) + before, memory.pitch, slice);
  return cudaSuccess;
}

// For cudaMemcpy3D and its peer form, whose parameters have the same fields.
template <class Parameters>
Result<Memcpy> build_box(const Parameters& parameters, cudaMemcpyKind kind) {
  if (parameters.srcArray || parameters.dstArray) {
    return refuse(cudaErrorNotSupported, "this device has no arrays; use linear or pitched memory");
  }
  const cudaExtent& extent = parameters.extent;
  BoxCopy box{{}, {}, {extent.width, extent.height, extent.depth}};
  if (box.extent.empty()) return Memcpy{};
  if (!parameters.srcPtr.ptr || !parameters.dstPtr.ptr) {
    return refuse(cudaErrorInvalidValue, "the %s is null", parameters.srcPtr.ptr ? "destination" : "source");
  }
  if (cudaError_t status = locate(parameters.dstPtr, parameters.dstPos, extent, "destination", box.to);
      status != cudaSuccess) {
    return status;
  }
  if (cudaError_t status = locate(parameters.srcPtr, parameters.srcPos, extent, "source", box.from);
      status != cudaSuccess) {
    return status;
  }
  return checked(box, kind);
}

cudaError_t check_ordinal(int device) {
  if (device >= 0 && device < device_count()) return cudaSuccess;
  return refuse(cudaErrorInvalidDevice, "there is no device %d; the last one is %d", device, device_count() - 1);
}

// One side of cudaMemcpy3DBatchAsync: a length of 0 means that rows, or slices, are adjacent.
cudaError_t locate_operand(const cudaMemcpy3DOperand& operand, const cudaExtent& extent, const char* name,
                           Place& place) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    return refuse(cudaErrorNotSupported, "this device has no arrays; use linear or pitched memory");
  }
  if (operand.type != cudaMemcpyOperandTypePointer) {
    return refuse(cudaErrorInvalidValue, "the %s's operand type %d is unknown", name, static_cast<int>(operand.type));
  }
  const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  const size_t height = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  size_t slice = 0;
  if (row < extent.width || height < extent.height || __builtin_mul_overflow(row, height, &slice)) {
    return refuse(cudaErrorInvalidValue, "the %s's rows of %zu bytes in layers of %zu rows are smaller than the copy",
                  name, row, height);
  }
  place = place_of(operand.op.ptr.ptr, row, slice);
  return cudaSuccess;
}

}  // namespace

Result<Memcpy> Memcpy::build(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return Memcpy{};
  return checked({place_of(to, bytes, bytes), place_of(from, bytes, bytes), {bytes, 1, 1}}, kind);
}

Result<Memcpy> Memcpy::build_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return Memcpy{};
  if (cudaError_t status = check_pitch(to_pitch, width, height > 1, "destination"); status != cudaSuccess)
    return status;
  if (cudaError_t status = check_pitch(from_pitch, width, height > 1, "source"); status != cudaSuccess) return status;
  return checked({place_of(to, to_pitch, 0), place_of(from, from_pitch, 0), {width, height, 1}}, kind);
}

Result<Memcpy> Memcpy::build_3d(const cudaMemcpy3DParms* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  return build_box(*parameters, parameters->kind);
}

Result<Memcpy> Memcpy::build_peer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  if (bytes == 0) return Memcpy{};
  if (cudaError_t status = check_ordinal(to_device); status != cudaSuccess) return status;
  if (cudaError_t status = check_ordinal(from_device); status != cudaSuccess) return status;
  return build(to, from, bytes, cudaMemcpyDeviceToDevice);
}

Result<Memcpy> Memcpy::build_3d_peer(const cudaMemcpy3DPeerParms* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  if (cudaError_t status = check_ordinal(parameters->dstDevice); status != cudaSuccess) return status;
  if (cudaError_t status = check_ordinal(parameters->srcDevice); status != cudaSuccess) return status;
  return build_box(*parameters, cudaMemcpyDeviceToDevice);
}

Result<Memcpy> Memcpy::build_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                       cudaMemcpyKind kind) {
  Result<Symbol> variable = find_symbol(symbol);
  if (!variable.ok()) return variable.status();
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return refuse(cudaErrorInvalidMemcpyDirection, "a copy of kind %d does not end in a variable",
                  static_cast<int>(kind));
  }
  if (bytes == 0) return Memcpy{};
  if (cudaError_t status = check_part(*variable, bytes, offset); status != cudaSuccess) return status;
  return build(static_cast<char*>(variable->address) + offset, from, bytes, kind);
}

Result<Memcpy> Memcpy::build_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                         cudaMemcpyKind kind) {
  Result<Symbol> variable = find_symbol(symbol);
  if (!variable.ok()) return variable.status();
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return refuse(cudaErrorInvalidMemcpyDirection, "a copy of kind %d does not start in a variable",
                  static_cast<int>(kind));
  }
  if (bytes == 0) return Memcpy{};
  if (cudaError_t status = check_part(*variable, bytes, offset); status != cudaSuccess) return status;
  return build(to, static_cast<char*>(variable->address) + offset, bytes, kind);
}

Result<Memcpy> Memcpy::build_3d_operation(const cudaMemcpy3DBatchOp& operation) {
  const cudaExtent& extent = operation.extent;
  BoxCopy box{{}, {}, {extent.width, extent.height, extent.depth}};
  if (box.extent.empty()) return refuse(cudaErrorInvalidValue, "a copy of a batch has no bytes");
  if (cudaError_t status = locate_operand(operation.dst, extent, "destination", box.to); status != cudaSuccess) {
    return status;
  }
  if (cudaError_t status = locate_operand(operation.src, extent, "source", box.from); status != cudaSuccess) {
    return status;
  }
  return checked(box, cudaMemcpyDefault);
}

}  // namespace reprise_runtime::op

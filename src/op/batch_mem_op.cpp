#include "op/batch_mem_op.h"

#include <algorithm>
#include <atomic>

#include "base/waiting.h"
#include "diagnose/refuse.h"
#include "exec/blocking.h"
#include "memory/address/address_map.h"
#include "op/memory_fault.h"

namespace reprise_runtime::op {
namespace {

using diagnose::refuse;
using memory::MemoryKind;

// A wait looks again at least this often: nothing announces the stores of the host and of kernels.
constexpr int64_t look_again_ns = 50'000;
constexpr double spin_ns = 20'000;

// Writes of streams announce themselves.
EventCount& writes() {
  static EventCount* count = new EventCount;
  return *count;
}

bool is_wait(const CUstreamBatchMemOpParams& operation) {
  return operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}
bool is_write(const CUstreamBatchMemOpParams& operation) {
  return operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ||
         operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
}
bool has_address(const CUstreamBatchMemOpParams& operation) { return is_wait(operation) || is_write(operation); }
size_t size_of(const CUstreamBatchMemOpParams& operation) {
  return operation.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || operation.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64
             ? sizeof(uint64_t)
             : sizeof(uint32_t);
}
// Waits and writes have the same layout.
void* address_of(const CUstreamBatchMemOpParams& operation) {
  return reinterpret_cast<void*>(operation.writeValue.address);
}

cudaError_t check_wait_flags(unsigned flags) {
  if (flags & CU_STREAM_WAIT_VALUE_FLUSH) {
    return refuse(cudaErrorNotSupported, "CU_STREAM_WAIT_VALUE_FLUSH; this device has no remote writes to flush");
  }
  return flags <= CU_STREAM_WAIT_VALUE_NOR ? cudaSuccess : refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags);
}

cudaError_t check_operation(const CUstreamBatchMemOpParams& operation) {
  cudaError_t status = cudaSuccess;
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      status = check_wait_flags(operation.waitValue.flags);
      break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      if (operation.writeValue.flags == CU_STREAM_WRITE_VALUE_DEFAULT) break;
      return refuse(cudaErrorInvalidValue, "flags 0x%x; a write must have CU_STREAM_WRITE_VALUE_DEFAULT",
                    operation.writeValue.flags);
    case CU_STREAM_MEM_OP_BARRIER:
      if (operation.memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU) return cudaSuccess;
      return refuse(cudaErrorInvalidValue, "unknown type 0x%x of a memory barrier", operation.memoryBarrier.flags);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return refuse(cudaErrorNotSupported, "this device has no remote writes to flush");
    default:
      return refuse(cudaErrorInvalidValue, "%d is not a memory operation", static_cast<int>(operation.operation));
  }
  if (status != cudaSuccess) return status;
  if (reinterpret_cast<uintptr_t>(address_of(operation)) % size_of(operation) == 0) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the address %p is not aligned to %zu bytes", address_of(operation),
                size_of(operation));
}

cudaError_t check_address(const CUstreamBatchMemOpParams& operation) {
  void* const address = address_of(operation);
  const memory::Range range = memory::lookup(address);
  const bool usable = range.device_side() && range.kind != MemoryKind::managed && range.kind != MemoryKind::graph;
  if (!usable) {
    return refuse(cudaErrorInvalidValue, "%p is %s, and must be device, pinned or registered memory", address,
                  describe(range.kind));
  }
  const bool allowed = range.protection == memory::Protection::read_write ||
                       (range.protection == memory::Protection::read_only && is_wait(operation));
  if (!allowed) return refuse(cudaErrorInvalidValue, "%p is mapped without the access that this needs", address);
  if (range.holds(address, size_of(operation))) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%p is at the end of its allocation", address);
}

// Whether a value fulfils a wait. Comparisons by CU_STREAM_WAIT_VALUE_GEQ are cyclic.
template <class Word>
bool fulfils(Word value, Word wanted, unsigned flags) {
  switch (flags) {
    case CU_STREAM_WAIT_VALUE_EQ:
      return value == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (value & wanted) != 0;
    case CU_STREAM_WAIT_VALUE_NOR:
      return static_cast<Word>(~(value | wanted)) != 0;
    default:
      return static_cast<std::make_signed_t<Word>>(value - wanted) >= 0;
  }
}

template <class Word>
std::atomic_ref<Word> word_at(const CUstreamBatchMemOpParams& operation) {
  return std::atomic_ref<Word>(*static_cast<Word*>(address_of(operation)));
}

template <class Word>
void write(const CUstreamBatchMemOpParams& operation, const Context& context) {
  // A read-modify-write, as EventCount::notify_sleepers() requires.
  fault_guard_of(context).run([&] {
    word_at<Word>(operation).exchange(static_cast<Word>(operation.writeValue.value64), std::memory_order_seq_cst);
  });
  writes().notify_sleepers();
}

template <class Word>
void wait(const CUstreamBatchMemOpParams& operation, const Context& context) {
  const auto done = [&] {
    if (context.dead()) return true;
    bool reached = true;  // also after a fault
    fault_guard_of(context).run([&] {
      const Word value = word_at<Word>(operation).load(std::memory_order_seq_cst);
      reached = fulfils(value, static_cast<Word>(operation.waitValue.value64), operation.waitValue.flags);
    });
    return reached;
  };
  if (done()) return;
  exec::BlockingScope may_block;
  if (spin_until(deadline_after(spin_ns), done)) return;
  while (!writes().sleep_until(done, look_again_ns)) {
  }
}

void run_one(const CUstreamBatchMemOpParams& operation, const Context& context) {
  switch (operation.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return wait<uint32_t>(operation, context);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return wait<uint64_t>(operation, context);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return write<uint32_t>(operation, context);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return write<uint64_t>(operation, context);
    default:
      std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

}  // namespace

Result<BatchMemOp> BatchMemOp::build(const CUstreamBatchMemOpParams* operations, unsigned count, unsigned flags) {
  if (count > most_operations) {
    return refuse(cudaErrorInvalidValue, "%u operations; a batch has at most %u", count, most_operations);
  }
  if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x", flags);
  if (count > 0 && !operations) return refuse(cudaErrorInvalidValue, "the list of operations is null");
  for (unsigned i = 0; i < count; ++i) {
    if (cudaError_t refused = check_operation(operations[i]); refused != cudaSuccess) return refused;
  }
  BatchMemOp built;
  if (count > 0) built.operations.assign(operations, operations + count);
  return built;
}

cudaError_t BatchMemOp::check_addresses() const {
  for (const CUstreamBatchMemOpParams& operation : operations) {
    if (!has_address(operation)) continue;
    if (cudaError_t refused = check_address(operation); refused != cudaSuccess) return refused;
  }
  return cudaSuccess;
}

bool BatchMemOp::waits() const { return std::any_of(operations.begin(), operations.end(), is_wait); }

bool BatchMemOp::same_types(const BatchMemOp& other) const {
  return std::equal(operations.begin(), operations.end(), other.operations.begin(), other.operations.end(),
                    [](const auto& a, const auto& b) { return a.operation == b.operation; });
}

void BatchMemOp::run(const Context& context) const {
  for (const CUstreamBatchMemOpParams& operation : operations) {
    if (context.dead()) return;
    run_one(operation, context);
  }
}

}  // namespace reprise_runtime::op

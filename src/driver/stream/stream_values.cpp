// Values in memory that streams write and wait for.
#include "driver/entry/entry.h"
#include "op/batch_mem_op.h"
#include "stream/working_stream.h"

using namespace reprise_runtime;

namespace {

cudaError_t submit(CUstream handle, const CUstreamBatchMemOpParams* operations, unsigned count, unsigned flags) {
  return driver::if_allowed([&] {
    Result<op::BatchMemOp> built = op::BatchMemOp::build(operations, count, flags);
    if (!built.ok()) return built.status();
    if (cudaError_t refused = built->check_addresses(); refused != cudaSuccess) return refused;
    Result<Ref<stream::Stream>> stream = stream::find_working(handle);
    if (!stream.ok()) return stream.status();
    return (*stream)->submit(std::move(*built));
  });
}

// One operation, a wait or a write: both have the same layout.
cudaError_t submit(CUstream handle, CUstreamBatchMemOpType type, CUdeviceptr address, cuuint64_t value,
                   unsigned flags) {
  CUstreamBatchMemOpParams operation{};
  operation.writeValue.operation = type;
  operation.writeValue.address = address;
  operation.writeValue.value64 = value;
  operation.writeValue.flags = flags;
  return submit(handle, &operation, 1, 0);
}

}  // namespace

extern "C" {

CALL_PTSZ(cuStreamWaitValue32, (CUstream hStream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
          (hStream, addr, value, flags), submit(hStream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags))
CALL_PTSZ(cuStreamWaitValue64, (CUstream hStream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
          (hStream, addr, value, flags), submit(hStream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags))
CALL_PTSZ(cuStreamWriteValue32, (CUstream hStream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
          (hStream, addr, value, flags), submit(hStream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags))
CALL_PTSZ(cuStreamWriteValue64, (CUstream hStream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
          (hStream, addr, value, flags), submit(hStream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags))
CALL_PTSZ(cuStreamBatchMemOp,
          (CUstream hStream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned int flags),
          (hStream, count, paramArray, flags), submit(hStream, paramArray, count, flags))
}

// Batches of copies.
#include "support.h"

class MemcpyBatch : public Runtime {
 protected:
  MemcpyBatch() : from(64), to(64) {
    for (int i = 0; i < 64; ++i) from[i] = i + 1;
    destinations[0] = to.get();
    destinations[1] = to.get() + 32;
    sources[0] = from.get();
    sources[1] = from.get() + 8;
    sizes[0] = sizes[1] = 16;
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  }
  cudaError_t copy(size_t count, size_t attribute_count, cudaStream_t where) {
    return cudaMemcpyBatchAsync(destinations, sources, sizes, count, attributes, indices, attribute_count, where);
  }
  PinnedArray<int> from;
  DeviceArray<int> to;
  Stream stream;
  void* destinations[2];
  const void* sources[2];
  size_t sizes[2];
  cudaMemcpyAttributes attributes[2] = {};
  size_t indices[2] = {0, 1};
};

TEST_F(MemcpyBatch, CopiesAll) {
  ASK(cudaSuccess, copy(2, 1, stream));
  MUST(cudaStreamSynchronize(stream));
  const auto seen = to.read();
  ASK_VALUE(1, seen[0]);
  ASK_VALUE(4, seen[3]);
  ASK_VALUE(0, seen[4]);
  ASK_VALUE(9, seen[32]);
}

TEST_F(MemcpyBatch, TakesSeveralAttributes) { ASK(cudaSuccess, copy(2, 2, stream)); }

TEST_F(MemcpyBatch, RefusesTheDefaultStreams) {
  ASK(cudaErrorInvalidValue, copy(2, 1, nullptr));
  ASK(cudaErrorInvalidValue, copy(2, 1, cudaStreamLegacy));
  ASK(cudaSuccess, copy(2, 1, cudaStreamPerThread));
}

TEST_F(MemcpyBatch, WrongCounts) {
  ASK(cudaErrorInvalidValue, copy(0, 1, stream));
  ASK(cudaErrorInvalidValue, copy(0, 0, stream));
  ASK(cudaErrorInvalidValue, copy(2, 0, stream));
  ASK(cudaErrorInvalidValue, copy(1, 2, stream));
}

TEST_F(MemcpyBatch, WrongIndices) {
  indices[0] = 1;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
  indices[0] = 0;
  indices[1] = 0;
  ASK(cudaErrorInvalidValue, copy(2, 2, stream));
  indices[1] = 2;
  ASK(cudaErrorInvalidValue, copy(2, 2, stream));
}

TEST_F(MemcpyBatch, WrongOrders) {
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
  attributes[0].srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(9);
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  ASK(cudaSuccess, copy(2, 1, stream));
  attributes[0].flags = 0x80;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
  attributes[0].flags = cudaMemcpyFlagPreferOverlapWithCompute;
  ASK(cudaSuccess, copy(2, 1, stream));
}

TEST_F(MemcpyBatch, ZeroSizesAndNulls) {
  sizes[0] = 0;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
  sizes[0] = 16;
  destinations[1] = nullptr;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
  destinations[1] = to.get() + 32;
  sources[0] = nullptr;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
}

TEST_F(MemcpyBatch, MissingArrays) {
  ASK(cudaErrorInvalidValue, cudaMemcpyBatchAsync(nullptr, sources, sizes, 2, attributes, indices, 1, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpyBatchAsync(destinations, nullptr, sizes, 2, attributes, indices, 1, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpyBatchAsync(destinations, sources, nullptr, 2, attributes, indices, 1, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpyBatchAsync(destinations, sources, sizes, 2, nullptr, indices, 1, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpyBatchAsync(destinations, sources, sizes, 2, attributes, nullptr, 1, stream));
}

TEST_F(MemcpyBatch, PastTheEndOfDeviceMemory) {
  DeviceArray<char> large(size_t{2} << 20);
  destinations[0] = large.get() + (size_t{2} << 20) - 8;
  ASK(cudaErrorInvalidValue, copy(2, 1, stream));
}

class Memcpy3DBatch : public Runtime {
 protected:
  Memcpy3DBatch() : from(64), to(64) {
    for (int i = 0; i < 64; ++i) from[i] = static_cast<unsigned char>(i + 1);
    op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = from.get();
    op.src.op.ptr.rowLength = op.dst.op.ptr.rowLength = 8;
    op.src.op.ptr.layerHeight = op.dst.op.ptr.layerHeight = 4;
    op.dst.op.ptr.ptr = to.get();
    op.extent = make_cudaExtent(3, 2, 2);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  }
  PinnedArray<unsigned char> from;
  DeviceArray<unsigned char> to;
  Stream stream;
  cudaMemcpy3DBatchOp op = {};
};

TEST_F(Memcpy3DBatch, CopiesABox) {
  ASK(cudaSuccess, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
  const auto seen = to.read();
  ASK_VALUE(3, int{seen[2]});
  ASK_VALUE(0, int{seen[3]});
  ASK_VALUE(33, int{seen[32]});
}

TEST_F(Memcpy3DBatch, ZeroLengthsMeanTightRows) {
  op.src.op.ptr.rowLength = op.src.op.ptr.layerHeight = 0;
  ASK(cudaSuccess, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
  ASK_VALUE(4, int{to.read()[8]});
}

TEST_F(Memcpy3DBatch, WrongArguments) {
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(0, &op, 0, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, nullptr, 0, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 1, stream));
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, nullptr));
  op.extent.depth = 0;
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
  op.extent = make_cudaExtent(9, 2, 2);
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
  op.extent = make_cudaExtent(3, 2, 2);
  op.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
  op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  op.src.type = static_cast<cudaMemcpy3DOperandType>(0);
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
  op.src.type = cudaMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = nullptr;
  ASK(cudaErrorInvalidValue, cudaMemcpy3DBatchAsync(1, &op, 0, stream));
}

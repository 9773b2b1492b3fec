// Variables of the device, by their symbol.
#include "support.h"

__device__ int numbers[4] = {1, 2, 3, 4};
__constant__ int fixed[2] = {7, 8};
__device__ int scalar = 11;
static __device__ int hidden = 21;
namespace inside {
__device__ double value = 2.5;
}
static int host_variable = 3;

__global__ void read_constant(int* out) { *out = fixed[0] * 100 + fixed[1]; }
__global__ void read_numbers(int* out) {
  for (int i = 0; i < 4; ++i) out[i] = numbers[i];
}
__global__ void bump() { scalar += hidden; }

using Symbols = Runtime;

TEST_F(Symbols, HaveAnAddressAndASize) {
  void* address = nullptr;
  size_t size = 0;
  ASK(cudaSuccess, cudaGetSymbolAddress(&address, numbers));
  ASK_VALUE(false, address == nullptr);
  ASK(cudaSuccess, cudaGetSymbolSize(&size, numbers));
  ASK_VALUE(16u, size);
  ASK(cudaSuccess, cudaGetSymbolSize(&size, fixed));
  ASK_VALUE(8u, size);
  ASK(cudaSuccess, cudaGetSymbolSize(&size, inside::value));
  ASK_VALUE(8u, size);
  ASK(cudaSuccess, cudaGetSymbolAddress(&address, hidden));
}

TEST_F(Symbols, StartWithTheirInitialiser) {
  int value = 0;
  ASK(cudaSuccess, cudaMemcpyFromSymbol(&value, hidden, sizeof(int)));
  ASK_VALUE(21, value);
  double real = 0;
  ASK(cudaSuccess, cudaMemcpyFromSymbol(&real, inside::value, sizeof(real)));
  ASK_VALUE(2.5, real);
}

TEST_F(Symbols, AreWrittenForTheNextKernel) {
  const int in[] = {5, 6, 7, 8};
  ASK(cudaSuccess, cudaMemcpyToSymbol(numbers, in, sizeof(in)));
  DeviceArray<int> out(4);
  read_numbers<<<1, 1>>>(out.get());
  ASK_VALUE(8, out.read()[3]);
  const int one = 50;
  ASK(cudaSuccess, cudaMemcpyToSymbol(numbers, &one, 4, 8));
  read_numbers<<<1, 1>>>(out.get());
  ASK_VALUE(50, out.read()[2]);
}

TEST_F(Symbols, ConstantOnesToo) {
  const int in[] = {1, 2};
  ASK(cudaSuccess, cudaMemcpyToSymbol(fixed, in, sizeof(in)));
  DeviceArray<int> out(1);
  read_constant<<<1, 1>>>(out.get());
  ASK_VALUE(102, out.read()[0]);
}

TEST_F(Symbols, AreReadAfterAKernel) {
  int before = 0, after = 0;
  MUST(cudaMemcpyFromSymbol(&before, scalar, 4));
  bump<<<1, 1>>>();
  ASK(cudaSuccess, cudaMemcpyFromSymbol(&after, scalar, 4));
  ASK_VALUE(before + 21, after);
}

TEST_F(Symbols, AsyncFormsAreOrderedInTheirStream) {
  Stream stream;
  PinnedArray<int> seen(2);
  seen[0] = 77;
  ASK(cudaSuccess, cudaMemcpyToSymbolAsync(scalar, &seen[0], 4, 0, cudaMemcpyHostToDevice, stream));
  bump<<<1, 1, 0, stream>>>();
  ASK(cudaSuccess, cudaMemcpyFromSymbolAsync(&seen[1], scalar, 4, 0, cudaMemcpyDeviceToHost, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(98, seen[1]);
}

TEST_F(Symbols, CopyWithinTheDevice) {
  DeviceArray<int> cell(1);
  ASK(cudaSuccess, cudaMemcpyFromSymbol(cell.get(), hidden, 4, 0, cudaMemcpyDeviceToDevice));
  ASK_VALUE(21, cell.read()[0]);
  ASK(cudaSuccess, cudaMemcpyToSymbol(hidden, cell.get(), 4, 0, cudaMemcpyDeviceToDevice));
  ASK(cudaSuccess, cudaMemcpyToSymbol(hidden, cell.get(), 4, 0, cudaMemcpyDefault));
}

TEST_F(Symbols, ThatAreNone) {
  void* address = nullptr;
  size_t size = 0;
  int value = 0;
  ASK(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, static_cast<const void*>(nullptr)));
  ASK(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, static_cast<const void*>(&host_variable)));
  ASK(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, static_cast<const void*>(&host_variable)));
  ASK(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(static_cast<const void*>(&host_variable), &value, 4));
  ASK(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&value, static_cast<const void*>(&host_variable), 4));
  ASK(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(static_cast<const void*>(nullptr), &value, 4));
  ASK(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, reinterpret_cast<const void*>(&bump)));
}

using HazardSymbols = Runtime;

TEST_F(HazardSymbols, MissingOutputs) {
  UNDEFINED_ON_NVIDIA("a null output crashes");
  ASK(cudaErrorInvalidValue, cudaGetSymbolAddress(static_cast<void**>(nullptr), numbers));
  ASK(cudaErrorInvalidValue, cudaGetSymbolSize(nullptr, numbers));
}

TEST_F(Symbols, CopiedPastTheirEnd) {
  int host[8] = {};
  ASK(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, host, 17));
  ASK(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, host, 16, 1));
  ASK(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, host, 4, 16));
  ASK(cudaErrorInvalidValue, cudaMemcpyFromSymbol(host, numbers, 17));
  ASK(cudaErrorInvalidValue, cudaMemcpyFromSymbol(host, numbers, 4, ~size_t{0}));
  ASK(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, host, ~size_t{0}, 1));
  ASK(cudaSuccess, cudaMemcpyToSymbol(numbers, host, 0, 16));
  ASK(cudaSuccess, cudaMemcpyToSymbol(numbers, host, 0));
  ASK(cudaSuccess, cudaMemcpyToSymbol(numbers, host, 0, 17));
}

TEST_F(Symbols, CopiedInTheWrongDirection) {
  int host[4] = {};
  DeviceArray<int> device(4);
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(numbers, host, 4, 0, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(numbers, host, 4, 0, cudaMemcpyHostToHost));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(host, numbers, 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromSymbol(host, numbers, 4, 0, cudaMemcpyHostToHost));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(numbers, host, 4, 0, static_cast<cudaMemcpyKind>(9)));
  ASK(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, host, 4, 0, cudaMemcpyDeviceToDevice));
  // The kind may call device memory host memory.
  ASK(cudaSuccess, cudaMemcpyToSymbol(numbers, device.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaMemcpyFromSymbol(device.get(), numbers, 4, 0, cudaMemcpyDeviceToHost));
  ASK(cudaErrorInvalidValue, cudaMemcpyToSymbol(numbers, nullptr, 4));
  ASK(cudaErrorInvalidValue, cudaMemcpyFromSymbol(nullptr, numbers, 4));
}

TEST_F(Symbols, TheirMemoryIsOrdinaryDeviceMemory) {
  void* address = nullptr;
  MUST(cudaGetSymbolAddress(&address, numbers));
  ASK(cudaSuccess, cudaMemset(address, 0, 16));
  ASK(cudaErrorInvalidValue, cudaMemset(address, 0, size_t{1} << 30));
}

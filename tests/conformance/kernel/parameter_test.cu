// Kernel parameters of every size, alignment and type.
#include "support.h"

struct Odd {
  char a;
  double b;
  short c;
};
struct alignas(16) Aligned {
  float values[4];
};
struct alignas(64) Line {
  float values[16];
};
struct Empty {};
struct Large {
  int values[900];
};
struct Nested {
  Odd odd;
  int3 three;
  Aligned aligned;
};

__global__ void many(long long* out, char a, short b, int c, long long d, float e, double f, bool g, unsigned char h) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = static_cast<long long>(e);
  out[5] = static_cast<long long>(f);
  out[6] = g;
  out[7] = h;
}
__global__ void structs(long long* out, char before, Odd odd, Aligned aligned, Empty, int after, Nested nested) {
  out[0] = before;
  out[1] = odd.a;
  out[2] = static_cast<long long>(odd.b);
  out[3] = odd.c;
  out[4] = static_cast<long long>(aligned.values[3]);
  out[5] = after;
  out[6] = nested.three.z;
  out[7] = static_cast<long long>(nested.aligned.values[1]);
}
__global__ void large(int* out, Large large) {
  int sum = 0;
  for (int value : large.values) sum += value;
  *out = sum;
}
__global__ void vectors(float* out, float4 a, char3 b, double2 c, uchar2 d) {
  out[0] = a.x + a.y + a.z + a.w;
  out[1] = static_cast<float>(b.x + b.y + b.z);
  out[2] = static_cast<float>(c.x + c.y);
  out[3] = static_cast<float>(d.x + d.y);
}
__global__ void copies_line(char, Line line, Line* out) { *out = line; }
__global__ void changes_line(char, Line line, float* out) {
  line.values[threadIdx.x % 16] += 1;
  float sum = 0;
  for (float value : line.values) sum += value;
  out[threadIdx.x] = sum;
}
template <typename T>
__global__ void generic(T* out, T value) {
  *out = value;
}
__global__ void modifies_its_copy(int* out, int value) {
  value += threadIdx.x;
  out[threadIdx.x] = value;
}
__global__ void held_constant(int* out, const __grid_constant__ Large large) { *out = large.values[899]; }
__global__ void calls_back(int* out, int (*function)(int), int value) { *out = function ? function(value) : -1; }

using Parameters = Runtime;

TEST_F(Parameters, OfEveryBasicType) {
  DeviceArray<long long> out(8);
  many<<<1, 1>>>(out.get(), -1, -2, -3, -4000000000000ll, 5.5f, 6.5, true, 200);
  const std::vector<long long> expected = {-1, -2, -3, -4000000000000ll, 5, 6, 1, 200};
  ASK_VALUE(expected, out.read());
}

TEST_F(Parameters, OfStructs) {
  DeviceArray<long long> out(8);
  Nested nested{};
  nested.three.z = 33;
  nested.aligned.values[1] = 44;
  structs<<<1, 1>>>(out.get(), 1, Odd{2, 3.0, 4}, Aligned{{0, 0, 0, 5}}, Empty{}, 6, nested);
  const std::vector<long long> expected = {1, 2, 3, 4, 5, 6, 33, 44};
  ASK_VALUE(expected, out.read());
}

TEST_F(Parameters, OfThousandsOfBytes) {
  DeviceArray<int> out(1);
  Large argument;
  for (int i = 0; i < 900; ++i) argument.values[i] = i;
  large<<<1, 1>>>(out.get(), argument);
  ASK(cudaSuccess, cudaGetLastError());
  ASK_VALUE(900 * 899 / 2, out.read()[0]);
  held_constant<<<1, 1>>>(out.get(), argument);
  ASK_VALUE(899, out.read()[0]);
}

TEST_F(Parameters, OfVectorTypes) {
  DeviceArray<float> out(4);
  vectors<<<1, 1>>>(out.get(), make_float4(1, 2, 3, 4), make_char3(5, 6, 7), make_double2(8, 9), make_uchar2(10, 11));
  const std::vector<float> expected = {10, 18, 17, 21};
  ASK_VALUE(expected, out.read());
}

// Alignment beyond that of any member's load; launched directly and from a graph.
TEST_F(Parameters, OfTypesThatAreAlignedToLines) {
  DeviceArray<Line> copied(1);
  DeviceArray<float> sums(32);
  Line line{};
  for (int i = 0; i < 16; ++i) line.values[i] = static_cast<float>(i);
  Stream stream;
  auto launch = [&] {
    copies_line<<<1, 1, 0, stream>>>('c', line, copied.get());
    changes_line<<<1, 32, 0, stream>>>('c', line, sums.get());
  };
  auto seen = [&] { return copied.read()[0].values[15] + sums.read()[17]; };
  launch();
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_EQ(15 + 121, seen());
  line.values[0] = 100;
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch();
  cudaGraph_t graph;
  ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_EQ(15 + 221, seen());
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

TEST_F(Parameters, OfTemplates) {
  DeviceArray<double> real(1);
  DeviceArray<char> letter(1);
  generic<<<1, 1>>>(real.get(), 2.25);
  generic<char><<<1, 1>>>(letter.get(), 'x');
  ASK_VALUE(2.25, real.read()[0]);
  ASK_VALUE('x', letter.read()[0]);
}

TEST_F(Parameters, AreEachThreadsOwnCopy) {
  DeviceArray<int> out(64);
  modifies_its_copy<<<1, 64>>>(out.get(), 100);
  const auto seen = out.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(100 + i, seen[i]);
}

TEST_F(Parameters, NullFunctionPointersArrive) {
  DeviceArray<int> out(1);
  calls_back<<<1, 1>>>(out.get(), nullptr, 3);
  ASK_VALUE(-1, out.read()[0]);
}

static void expect_parameter(const void* kernel, size_t index, size_t offset, size_t size, int line) {
  size_t got_offset = 777, got_size = 777;
  const cudaError_t error = cudaFuncGetParamInfo(kernel, index, &got_offset, &got_size);
  tell(("parameter " + std::to_string(index)).c_str(), line,
       named(error) + " offset " + std::to_string(got_offset) + " size " + std::to_string(got_size));
  EXPECT_EQ(cudaSuccess, error) << index;
  EXPECT_EQ(offset, got_offset) << index;
  EXPECT_EQ(size, got_size) << index;
}

TEST_F(Parameters, OffsetsAndSizesAreCudas) {
  const auto kernel = reinterpret_cast<const void*>(structs);
  expect_parameter(kernel, 0, 0, 8, __LINE__);
  expect_parameter(kernel, 1, 8, 1, __LINE__);
  expect_parameter(kernel, 2, 16, 24, __LINE__);
  expect_parameter(kernel, 3, 48, 16, __LINE__);
  expect_parameter(kernel, 4, 64, 1, __LINE__);
  expect_parameter(kernel, 5, 68, 4, __LINE__);
  expect_parameter(kernel, 6, 80, 64, __LINE__);
}

TEST_F(Parameters, WrongQuestionsAboutThem) {
  const auto kernel = reinterpret_cast<const void*>(structs);
  size_t offset = 0, size = 0;
  int variable = 0;
  ASK(cudaErrorInvalidValue, cudaFuncGetParamInfo(kernel, 7, &offset, &size));
  ASK(cudaErrorInvalidValue, cudaFuncGetParamInfo(kernel, ~size_t{0}, &offset, &size));
  ASK(cudaErrorInvalidValue, cudaFuncGetParamInfo(kernel, 0, nullptr, &size));
  ASK(cudaSuccess, cudaFuncGetParamInfo(kernel, 0, &offset, nullptr));
  ASK(cudaErrorInvalidDeviceFunction, cudaFuncGetParamInfo(nullptr, 0, &offset, &size));
  ASK(cudaErrorInvalidResourceHandle, cudaFuncGetParamInfo(&variable, 0, &offset, &size));
}

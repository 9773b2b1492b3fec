// Calls within device code: recursion, function pointers, virtual functions, objects with constructors.
#include <new>

#include "device_array.h"

namespace {

__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ unsigned long long fibonacci(int n) {
  return n < 2 ? static_cast<unsigned long long>(n) : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ bool is_odd(int n);
__device__ __noinline__ bool is_even(int n) { return n == 0 ? true : is_odd(n - 1); }
__device__ __noinline__ bool is_odd(int n) { return n == 0 ? false : is_even(n - 1); }

__global__ void recurse(unsigned long long* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[3 * i] = static_cast<unsigned long long>(ackermann(2, i % 5));
  out[3 * i + 1] = fibonacci(i);
  out[3 * i + 2] = is_even(i);
}

TEST(DeviceCalls, Recursion) {
  DeviceArray<unsigned long long> out(3 * 16);
  recurse<<<1, 16>>>(out);
  const auto host = out.host();
  unsigned long long previous = 1, current = 0;
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(host[3 * i], static_cast<unsigned long long>(2 * (i % 5) + 3));
    EXPECT_EQ(host[3 * i + 1], current);
    EXPECT_EQ(host[3 * i + 2], i % 2 == 0 ? 1u : 0u);
    const unsigned long long next = previous + current;
    previous = current, current = next;
  }
}

struct Place {
  volatile int* words;
  int first;
};
// Waits by recursion.
__device__ int look_again(volatile int* word, long long end) {
  if (*word) return 1;
  if (clock64() > end) return 0;
  return look_again(word, end);
}
__global__ void await_by_calls(const Place* place, int* seen, long long patience) {
  *seen = look_again(place->words + place->first, clock64() + patience);
}
__global__ void raise_word(int* word) { *word = 1; }

// One node of a graph waits for a concurrent one, which can run only because the first yields.
TEST(DeviceCalls, WaitingForTheNodeBeside) {
  const long long patience = 300'000'000'000;  // minutes: the machine may be busy
  DeviceArray<int> words(4);
  DeviceArray<Place> place(1);
  const Place host{words, 2};
  ASSERT_EQ(cudaSuccess, cudaMemset(words, 0, 4 * sizeof(int)));
  ASSERT_EQ(cudaSuccess, cudaMemcpy(place, &host, sizeof host, cudaMemcpyHostToDevice));
  const Place* where = place;
  int *seen = words, *word = seen + 2;
  void *waits[] = {&where, &seen, const_cast<long long*>(&patience)}, *raises[] = {&word};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams params = {};
  params.gridDim = params.blockDim = dim3(1);
  params.func = reinterpret_cast<void*>(await_by_calls);
  params.kernelParams = waits;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  params.func = reinterpret_cast<void*>(raise_word);
  params.kernelParams = raises;
  ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  EXPECT_EQ(1, words.host()[0]);
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

using Binary = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Binary operations[] = {add, subtract, multiply};
__device__ Binary chosen = multiply;

__device__ int apply(Binary operation, int a, int b) { return operation(a, b); }

__global__ void call_through_pointers(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = apply(operations[i % 3], i, 10) + chosen(i, 2);
}

TEST(DeviceCalls, FunctionPointersDifferFromThreadToThread) {
  DeviceArray<int> out(60);
  call_through_pointers<<<1, 60>>>(out);
  const auto host = out.host();
  for (int i = 0; i < 60; ++i) {
    const int expected = i % 3 == 0 ? i + 10 : i % 3 == 1 ? i - 10 : i * 10;
    EXPECT_EQ(host[i], expected + 2 * i);
  }
}

__global__ void call_pointer_from_host(Binary operation, int* out) { out[threadIdx.x] = operation(threadIdx.x, 3); }

TEST(DeviceCalls, TheHostReadsADeviceFunctionPointerAndPassesIt) {
  Binary operation = nullptr;
  ASSERT_CUDA(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
  DeviceArray<int> out(4);
  call_pointer_from_host<<<1, 4>>>(operation, out);
  EXPECT_EQ(out.host(), (std::vector<int>{0, 3, 6, 9}));
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
};

__global__ void make_shapes(Shape** shapes, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= count) return;
  if (i % 2)
    shapes[i] = new Square(static_cast<float>(i));
  else
    shapes[i] = new Circle(static_cast<float>(i));
}
__global__ void ask_shapes(Shape** shapes, float* areas, int* corners, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= count) return;
  areas[i] = shapes[i]->area();
  corners[i] = shapes[i]->corners();
}
__global__ void delete_shapes(Shape** shapes, int count) {
  if (static_cast<int>(threadIdx.x) < count) delete shapes[threadIdx.x];
}

TEST(DeviceCalls, VirtualFunctionsOfObjectsMadeInAnotherKernel) {
  DeviceArray<Shape*> shapes(10);
  DeviceArray<float> areas(10);
  DeviceArray<int> corners(10);
  make_shapes<<<1, 32>>>(shapes, 10);
  ask_shapes<<<1, 32>>>(shapes, areas, corners, 10);
  delete_shapes<<<1, 32>>>(shapes, 10);
  const auto a = areas.host();
  const auto c = corners.host();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(a[i], static_cast<float>(i % 2 ? i * i : 3 * i * i));
    EXPECT_EQ(c[i], i % 2 ? 4 : 0);
  }
}

struct Counter {
  int* destroyed;
  int value;
  __device__ Counter(int* d, int v) : destroyed(d), value(v) {}
  __device__ ~Counter() { atomicAdd(destroyed, value); }
};

__global__ void construct(int* destroyed) {
  Counter local(destroyed, 1);
  alignas(Counter) unsigned char memory[sizeof(Counter)];
  Counter* placed = new (memory) Counter(destroyed, 10);
  if (threadIdx.x % 2) placed->~Counter();
}

TEST(DeviceCalls, ConstructorsAndDestructors) {
  DeviceArray<int> destroyed(1);
  construct<<<2, 8>>>(destroyed);
  EXPECT_EQ(destroyed.host()[0], 16 + 80);
}

template <int N>
struct Matrix {
  float cell[N][N];
  __device__ Matrix operator*(const Matrix& other) const {
    Matrix product{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) product.cell[i][j] += cell[i][k] * other.cell[k][j];
    return product;
  }
};

__global__ void multiply_matrices(float* out) {
  Matrix<3> m{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.cell[i][j] = static_cast<float>(i + j + static_cast<int>(threadIdx.x));
  const Matrix<3> product = m * m;
  for (int i = 0; i < 9; ++i) out[threadIdx.x * 9 + i] = product.cell[i / 3][i % 3];
}

TEST(DeviceCalls, OperatorsReturnStructures) {
  DeviceArray<float> out(5 * 9);
  multiply_matrices<<<1, 5>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 5; ++t)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        float sum = 0;
        for (int k = 0; k < 3; ++k) sum += static_cast<float>((i + k + t) * (k + j + t));
        EXPECT_EQ(host[t * 9 + i * 3 + j], sum);
      }
}

}  // namespace

// __isShared and its kin, and PTX isspacep: in which state space an address is.
#include "device_array.h"

namespace {

struct Answers {
  unsigned global, shared, constant, local, by_ptx;
  friend bool operator==(const Answers& a, const Answers& b) {
    return a.global == b.global && a.shared == b.shared && a.constant == b.constant && a.local == b.local &&
           a.by_ptx == b.by_ptx;
  }
  friend std::ostream& operator<<(std::ostream& stream, const Answers& a) {
    return stream << "global " << a.global << ", shared " << a.shared << ", constant " << a.constant << ", local "
                  << a.local << ", isspacep " << a.by_ptx;
  }
};

__device__ unsigned ask_by_ptx(const void* p) {
  unsigned shared, local, global;
  asm("{ .reg .pred q; isspacep.shared q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(shared) : "l"(p));
  asm("{ .reg .pred q; isspacep.local q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(local) : "l"(p));
  asm("{ .reg .pred q; isspacep.global q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(global) : "l"(p));
  return shared * 4 + local * 2 + global;
}

__device__ Answers ask(const void* p) {
  return {__isGlobal(p) != 0, __isShared(p) != 0, __isConstant(p) != 0, __isLocal(p) != 0, ask_by_ptx(p)};
}
__device__ __noinline__ Answers ask_in_a_call(const void* p, int depth) {
  return depth > 0 ? ask_in_a_call(p, depth - 1) : ask(p);
}

const Answers in_global{1, 0, 0, 0, 1}, in_shared{0, 1, 0, 0, 4}, in_local{0, 0, 0, 1, 2}, in_constant{0, 0, 1, 0, 0};

__device__ int variable;
__constant__ int constants[8];

template <bool by_call>
__global__ void ask_all(const int* heap, int n, Answers* out) {
  __shared__ int fixed[4];
  extern __shared__ int dynamic[];
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = heap[i] + n;
  fixed[0] = dynamic[0] = local[n & 7];
  __syncthreads();
  const void* places[] = {heap, &variable, fixed, &dynamic[15], &local[n & 7], heap + fixed[0] % 8, constants + n};
  for (int i = 0; i < 7; ++i) out[i] = by_call ? ask_in_a_call(places[i], n) : ask(places[i]);
}

template <bool by_call>
void check_all() {
  DeviceArray<int> heap(std::vector<int>(8, 1));
  DeviceArray<Answers> out(7);
  ask_all<by_call><<<1, 1, 64>>>(heap, 2, out);
  EXPECT_EQ(out.host(),
            (std::vector<Answers>{in_global, in_global, in_shared, in_shared, in_local, in_global, in_constant}));
}

TEST(StateSpaces, OfAddressesThatTheCompilerSees) { check_all<false>(); }
TEST(StateSpaces, OfAddressesInFunctionsThatAreNotInlined) { check_all<true>(); }

// Pointers that are chosen at run time, by each thread.
__global__ void ask_chosen(int* heap, const int* which, Answers* out) {
  __shared__ int tile[32];
  int mine[2] = {heap[0], heap[1]};
  tile[threadIdx.x] = mine[which[threadIdx.x] & 1];
  __syncthreads();
  int* p = which[threadIdx.x] == 0 ? heap : which[threadIdx.x] == 1 ? tile + threadIdx.x : mine;
  *p += 1;
  out[threadIdx.x] = ask(p);
}

TEST(StateSpaces, OfPointersChosenAtRunTime) {
  std::vector<int> which(32);
  for (int i = 0; i < 32; ++i) which[i] = i % 3;
  DeviceArray<int> heap(32), choice(which);
  DeviceArray<Answers> out(32);
  ask_chosen<<<1, 32>>>(heap, choice, out);
  const auto answers = out.host();
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(answers[i], i % 3 == 0 ? in_global : i % 3 == 1 ? in_shared : in_local) << "thread " << i;
}

// A structure of the block's own shared memory, and pointers that pass through memory.
__global__ void ask_loaded(int* heap, Answers* out) {
  __shared__ int tile[4];
  __shared__ int* pointers[2];
  if (threadIdx.x == 0) pointers[0] = tile, pointers[1] = heap;
  __syncthreads();
  out[threadIdx.x] = ask(pointers[threadIdx.x]);
}

TEST(StateSpaces, OfPointersThatPassThroughMemory) {
  DeviceArray<int> heap(4);
  DeviceArray<Answers> out(2);
  ask_loaded<<<1, 2>>>(heap, out);
  EXPECT_EQ(out.host(), (std::vector<Answers>{in_shared, in_global}));
}

struct Large {
  int values[16];
};
__global__ void ask_parameter(const __grid_constant__ Large parameter, const int* heap, unsigned* out) {
  out[0] = __isGridConstant(&parameter) != 0;
  out[1] = __isGridConstant(heap) != 0;
  out[2] = parameter.values[heap[0]];
  out[3] = __isGlobal(&parameter) != 0;
}

TEST(StateSpaces, OfAGridConstant) {
  DeviceArray<int> heap(std::vector<int>{3});
  DeviceArray<unsigned> out(4);
  Large large{};
  large.values[3] = 7;
  ask_parameter<<<1, 1>>>(large, heap, out);
  EXPECT_EQ(out.host(), (std::vector<unsigned>{1, 0, 7, 1}));
}

__global__ void convert(int* heap) {
  __shared__ int tile[2];
  tile[threadIdx.x] = 5 + threadIdx.x;
  __syncthreads();
  int* same = static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(&tile[1])));
  int* global = static_cast<int*>(__cvta_global_to_generic(__cvta_generic_to_global(heap)));
  if (threadIdx.x == 0) *global = *same;
}

TEST(StateSpaces, ConversionsThereAndBackKeepTheAddress) {
  DeviceArray<int> out(1);
  convert<<<1, 2>>>(out);
  EXPECT_EQ(out.host()[0], 6);
}

}  // namespace

// Clocks, and the inline PTX that programs use: special registers, lane masks, bit fields, memory accesses.
#include "device_array.h"

namespace {

__global__ void read_clocks(long long* out) {
  const long long wide = clock64();
  const clock_t narrow = clock();
  unsigned long long global_before, global_after;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(global_before));
  long long spent = 0;
  while (spent < 1000) spent = clock64() - wide;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(global_after));
  out[0] = spent >= 1000;
  out[1] = global_after >= global_before;
  out[2] = clock64() > wide;
  out[3] = narrow != 0 || wide != 0;
  __nanosleep(100);
}

TEST(ClocksAndPtx, ClocksGoForward) {
  DeviceArray<long long> out(4);
  read_clocks<<<1, 1>>>(out);
  EXPECT_EQ(out.host(), (std::vector<long long>{1, 1, 1, 1}));
}

__device__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  return lane;
}
__device__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
  return mask;
}

__global__ void special_registers(unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned x, block, size, blocks, le, eq, ge, gt;
  asm("mov.u32 %0, %tid.x;" : "=r"(x));
  asm("mov.u32 %0, %ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %ntid.x;" : "=r"(size));
  asm("mov.u32 %0, %nctaid.x;" : "=r"(blocks));
  asm("mov.u32 %0, %lanemask_le;" : "=r"(le));
  asm("mov.u32 %0, %lanemask_eq;" : "=r"(eq));
  asm("mov.u32 %0, %lanemask_ge;" : "=r"(ge));
  asm("mov.u32 %0, %lanemask_gt;" : "=r"(gt));
  unsigned* mine = out + (block * size + t) * 10;
  mine[0] = x, mine[1] = block, mine[2] = size, mine[3] = blocks;
  mine[4] = lane_id(), mine[5] = lanes_below(), mine[6] = le, mine[7] = eq, mine[8] = ge, mine[9] = gt;
}

TEST(ClocksAndPtx, SpecialRegisters) {
  DeviceArray<unsigned> out(2 * 40 * 10);
  special_registers<<<2, 40>>>(out);
  const auto host = out.host();
  for (unsigned b = 0; b < 2; ++b)
    for (unsigned t = 0; t < 40; ++t) {
      const unsigned* mine = &host[(b * 40 + t) * 10];
      const unsigned lane = t % 32, below = (1u << lane) - 1, self = 1u << lane;
      const unsigned expected[] = {t, b, 40, 2, lane, below, below | self, self, ~below, ~(below | self)};
      for (int i = 0; i < 10; ++i) EXPECT_EQ(mine[i], expected[i]) << "register " << i;
    }
}

__global__ void bit_fields(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i], y = in[(i + 1) % blockDim.x];
  unsigned* mine = out + i * 7;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(mine[0]) : "r"(x), "r"(5), "r"(9));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(mine[1]) : "r"(x), "r"(y), "r"(8), "r"(12));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(mine[2]) : "r"(x), "r"(y), "r"(0x5241));
  asm("popc.b32 %0, %1;" : "=r"(mine[3]) : "r"(x));
  asm("brev.b32 %0, %1;" : "=r"(mine[4]) : "r"(x));
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(mine[5]) : "r"(x), "r"(y), "r"(7));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(mine[6]) : "r"(x), "r"(y), "r"(0x0f0f0f0f));
}

TEST(ClocksAndPtx, BitFields) {
  const std::vector<unsigned> in = {0u, 0xffffffffu, 0x12345678u, 0xdeadbeefu, 1u, 0x80000001u};
  DeviceArray<unsigned> device(in), out(6 * 7);
  bit_fields<<<1, 6>>>(device, out);
  const auto host = out.host();
  for (unsigned i = 0; i < 6; ++i) {
    const unsigned x = in[i], y = in[(i + 1) % 6], *mine = &host[i * 7];
    EXPECT_EQ(mine[0], x >> 5 & 0x1ff);
    EXPECT_EQ(mine[1], (y & ~0xfff00u) | (x & 0xfff) << 8);
    const unsigned bytes[8] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24, y & 255, y >> 8 & 255, y >> 16 & 255, y >> 24};
    EXPECT_EQ(mine[2], bytes[1] | bytes[4] << 8 | bytes[2] << 16 | bytes[5] << 24);
    unsigned pop = 0, reversed = 0;
    for (int b = 0; b < 32; ++b) pop += x >> b & 1, reversed |= (x >> b & 1) << (31 - b);
    EXPECT_EQ(mine[3], pop);
    EXPECT_EQ(mine[4], reversed);
    EXPECT_EQ(mine[5], x * y + 7);
    EXPECT_EQ(mine[6], x ^ y ^ 0x0f0f0f0fu);
  }
}

__global__ void memory_accesses(const int* in, int* out, float* reals) {
  int value;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(in + threadIdx.x));
  asm volatile("st.global.s32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(value * 2) : "memory");
  float sum;
  asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(1.5f), "f"(static_cast<float>(value)));
  float fused;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(fused) : "f"(sum), "f"(2.0f), "f"(0.5f));
  reals[threadIdx.x] = fused;
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("bar.sync 0;");
}

TEST(ClocksAndPtx, MemoryAndArithmetic) {
  const std::vector<int> in = {3, -4, 5, 100};
  DeviceArray<int> device(in), out(4);
  DeviceArray<float> reals(4);
  memory_accesses<<<1, 4>>>(device, out, reals);
  EXPECT_EQ(out.host(), (std::vector<int>{6, -8, 10, 200}));
  EXPECT_EQ(reals.host(), (std::vector<float>{9.5f, -4.5f, 13.5f, 203.5f}));
}

}  // namespace

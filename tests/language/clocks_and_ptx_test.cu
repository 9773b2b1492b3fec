// Clocks, and the inline PTX that programs use: special registers, lane masks, fences.
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

}  // namespace

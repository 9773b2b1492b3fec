// Clocks, and the inline PTX that programs use: special registers, lane masks, bit fields, memory accesses.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

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
    const unsigned bytes[8] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24,
                               y & 255, y >> 8 & 255, y >> 16 & 255, y >> 24};
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

// Pairs of 16-bit numbers in one register, against the equivalent functions. NaN payloads are ignored.
__device__ unsigned word_of(__half2 x) { return *reinterpret_cast<unsigned*>(&x); }
__device__ unsigned word_of(__nv_bfloat162 x) { return *reinterpret_cast<unsigned*>(&x); }
template <class Pair>
__device__ Pair pair_of(unsigned x) {
  return *reinterpret_cast<Pair*>(&x);
}

template <class Pair>
__device__ int differ(Pair expected, unsigned got) {
  const Pair pair = pair_of<Pair>(got);
  const bool low = word_of(expected) << 16 == got << 16 || (__hisnan(expected.x) && __hisnan(pair.x));
  const bool high = word_of(expected) >> 16 == got >> 16 || (__hisnan(expected.y) && __hisnan(pair.y));
  return !low + !high;
}

#define PAIRS(name, type, Pair, float_pair)                                                                   \
  __global__ void name(unsigned seed, int* wrong) {                                                           \
    unsigned word[3], sum, difference, product, fused, least, most, minus, size, packed, positive;            \
    for (unsigned i = 0; i < 3; ++i) word[i] = (seed + threadIdx.x * 3 + i) * 2654435761u ^ threadIdx.x << 7; \
    const Pair a = pair_of<Pair>(word[0]), b = pair_of<Pair>(word[1]), c = pair_of<Pair>(word[2]);            \
    asm("add." type " %0, %1, %2;" : "=r"(sum) : "r"(word[0]), "r"(word[1]));                                 \
    asm("sub." type " %0, %1, %2;" : "=r"(difference) : "r"(word[0]), "r"(word[1]));                          \
    asm("mul." type " %0, %1, %2;" : "=r"(product) : "r"(word[0]), "r"(word[1]));                             \
    asm("fma.rn." type " %0, %1, %2, %3;" : "=r"(fused) : "r"(word[0]), "r"(word[1]), "r"(word[2]));          \
    asm("min." type " %0, %1, %2;" : "=r"(least) : "r"(word[0]), "r"(word[1]));                               \
    asm("max.NaN." type " %0, %1, %2;" : "=r"(most) : "r"(word[0]), "r"(word[1]));                            \
    asm("neg." type " %0, %1;" : "=r"(minus) : "r"(word[0]));                                                 \
    asm("abs." type " %0, %1;" : "=r"(size) : "r"(word[0]));                                                  \
    const float x = __uint_as_float(word[0] % 0x20000000 + 0x30000000), y = -3.14159f;                        \
    asm("cvt.rn." type ".f32 %0, %1, %2;" : "=r"(packed) : "f"(y), "f"(x));                                   \
    asm("cvt.rn.relu." type ".f32 %0, %1, %2;" : "=r"(positive) : "f"(y), "f"(x));                            \
    const int differences[] = {differ(__hadd2(a, b), sum),       differ(__hsub2(a, b), difference),           \
                               differ(__hmul2(a, b), product),   differ(__hfma2(a, b, c), fused),             \
                               differ(__hmin2(a, b), least),     differ(__hmax2_nan(a, b), most),             \
                               differ(__hneg2(a), minus),        differ(__habs2(a), size),                    \
                               differ(float_pair(x, y), packed), differ(float_pair(x, 0.0f), positive)};      \
    for (int i = 0; i < 10; ++i)                                                                              \
      if (differences[i]) atomicAdd(wrong + i, 1);                                                            \
  }
PAIRS(pairs_of_halves, "f16x2", __half2, __floats2half2_rn)
PAIRS(pairs_of_bfloats, "bf16x2", __nv_bfloat162, __floats2bfloat162_rn)

TEST(InlinePtx, PairsOfSmallNumbers) {
  DeviceArray<int> halves(10), bfloats(10);
  for (unsigned seed = 0; seed < 64; ++seed) {
    pairs_of_halves<<<4, 256>>>(seed * 7919, halves);
    pairs_of_bfloats<<<4, 256>>>(seed * 104729, bfloats);
  }
  EXPECT_EQ(halves.host(), std::vector<int>(10, 0));
  EXPECT_EQ(bfloats.host(), std::vector<int>(10, 0));
}

__global__ void rare_modifiers(const int4* in, float4* sums, int* out, float* real) {
  int4 v;
  asm("ld.global.nc.L1::no_allocate.L2::128B.v4.s32 {%0, %1, %2, %3}, [%4];"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
      : "l"(in));
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  __shared__ int4 staged;
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&staged))),
               "l"(in), "l"(policy)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(4.0f)
               : "memory");
  out[0] = v.x + v.w, out[1] = staged.y + staged.z;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(out[2]) : "r"(0x100));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(out[3]) : "r"(0x7ffffff0), "r"(0x100));
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(out[4]) : "r"(0x7f800001), "r"(3));
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(out[5]) : "r"(-300));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(out[6]) : "r"(-300));
  asm("set.gt.u32.f32 %0, %1, %2;" : "=r"(out[7]) : "f"(2.0f), "f"(1.0f));
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(out[8]) : "r"(4), "r"(5), "r"(-1));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(real[0]) : "f"(1.0f), "f"(__int_as_float(0x7fc00000)));
  asm("{ .reg .s32 twice; // of the first\n\tadd.s32 twice, %1, %1; // and then\n\tmul.lo.s32 %0, twice, %2; /* ; */ }"
      : "=r"(out[9])
      : "r"(3), "r"(7));
  asm("cvt.f32.bf16 %0, %1;" : "=f"(real[1]) : "h"(static_cast<unsigned short>(0x4049)));
}

TEST(InlinePtx, RareModifiers) {
  DeviceArray<int4> in(std::vector<int4>{make_int4(1, 2, 3, 4)});
  DeviceArray<float4> sums(1, make_float4(1, 1, 1, 1));
  DeviceArray<int> out(10);
  DeviceArray<float> real(2);
  rare_modifiers<<<1, 1>>>(in, sums, out, real);
  EXPECT_EQ(out.host(), (std::vector<int>{5, 5, 23, 0x7fffffff, -0x7fffff * 3, -128, 0, -1, 5, 42}));
  const float4 sum = sums.host()[0];
  EXPECT_EQ(sum.x + sum.y * 10 + sum.z * 100 + sum.w * 1000, 5432.0f);
  EXPECT_TRUE(std::isnan(real.host()[0]));
  EXPECT_EQ(real.host()[1], 3.140625f);
}

__global__ void reducing_barriers(int* counts, int* leaders) {
  int count;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(threadIdx.x)
               : "memory");
  int all;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.and.pred p, 0, p; selp.s32 %0, 1, 0, p; }"
               : "=r"(all)
               : "r"(threadIdx.x)
               : "memory");
  int leads;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.s32 %0, 1, 0, p; }" : "=r"(leads));
  counts[threadIdx.x] = count + 1000 * all;
  if (leads) atomicAdd(leaders, 1);
}

TEST(InlinePtx, BarriersThatReduceAndLanesThatLead) {
  DeviceArray<int> counts(64), leaders(1);
  reducing_barriers<<<1, 64>>>(counts, leaders);
  EXPECT_EQ(counts.host(), std::vector<int>(64, 40));
  EXPECT_EQ(leaders.host()[0], 2);
}

}  // namespace

// More inline PTX in common use: predicates, packing, warp operations, atomics, asynchronous copies.
#include <cstring>

#include "device_array.h"

namespace {

__global__ void predicates(const int* in, int* out) {
  const int i = static_cast<int>(threadIdx.x), x = in[i];
  int sign, clamped = x, larger;
  asm("{\n\t"
      ".reg .pred p, q;\n\t"
      "setp.lt.s32 p, %1, 0;\n\t"
      "setp.gt.s32 q, %1, 0;\n\t"
      "selp.s32 %0, -1, 0, p;\n\t"
      "@q mov.s32 %0, 1;\n\t"
      "}"
      : "=r"(sign)
      : "r"(x));
  asm("{ .reg .pred p; setp.gt.s32 p, %0, 100; @p mov.b32 %0, 100; }" : "+r"(clamped));
  asm("{ .reg .pred p, q; setp.ge.s32 p|q, %1, %2; @p mov.u32 %0, %1; @q mov.u32 %0, %2; }"
      : "=r"(larger)
      : "r"(x), "r"(5));
  out[3 * i] = sign, out[3 * i + 1] = clamped, out[3 * i + 2] = larger;
}

TEST(InlinePtx, Predicates) {
  const std::vector<int> in = {-7, 0, 3, 5, 99, 100, 101, 1000};
  DeviceArray<int> device(in), out(24);
  predicates<<<1, 8>>>(device, out);
  const auto host = out.host();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(host[3 * i], (in[i] > 0) - (in[i] < 0));
    EXPECT_EQ(host[3 * i + 1], in[i] > 100 ? 100 : in[i]);
    EXPECT_EQ(host[3 * i + 2], in[i] > 5 ? in[i] : 5);
  }
}

__global__ void pack(const unsigned* in, unsigned long long* wide, unsigned* parts, unsigned short* halves) {
  const unsigned low = in[0], high = in[1];
  unsigned long long joined;
  asm("mov.b64 %0, {%1, %2};" : "=l"(joined) : "r"(low), "r"(high));
  *wide = joined;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(parts[0]), "=r"(parts[1]) : "l"(joined + 1));
  asm("mov.b32 {%0, %1}, %2;" : "=h"(halves[0]), "=h"(halves[1]) : "r"(low));
  unsigned long long product;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(product) : "r"(low), "r"(high), "l"(10ull));
  wide[1] = product;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(low), "r"(-3));
  wide[2] = product;
  unsigned shifted;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(shifted) : "r"(low), "r"(high), "r"(8));
  parts[2] = shifted;
  asm("shr.s32 %0, %1, 40;" : "=r"(shifted) : "r"(0x80000000u));
  parts[3] = shifted;
}

TEST(InlinePtx, PackingAndWideProducts) {
  const unsigned low = 0xdeadbeefu, high = 0x12345678u;
  DeviceArray<unsigned> in(std::vector<unsigned>{low, high}), parts(4);
  DeviceArray<unsigned long long> wide(3);
  DeviceArray<unsigned short> halves(2);
  pack<<<1, 1>>>(in, wide, parts, halves);
  const unsigned long long joined = static_cast<unsigned long long>(high) << 32 | low;
  EXPECT_EQ(wide.host(), (std::vector<unsigned long long>{
                             joined, static_cast<unsigned long long>(low) * high + 10,
                             static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(low)) * -3)}));
  EXPECT_EQ(parts.host(), (std::vector<unsigned>{low + 1, high, high << 8 | low >> 24, 0xffffffffu}));
  EXPECT_EQ(halves.host(), (std::vector<unsigned short>{0xbeef, 0xdead}));
}

__global__ void convert(const float* in, int* integers, float* reals, double* doubles) {
  const float x = in[threadIdx.x];
  int n, m;
  float back, whole;
  double wide;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(n) : "f"(x));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(m) : "f"(x));
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(back) : "r"(n));
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(whole) : "f"(x));
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(x));
  integers[2 * threadIdx.x] = n, integers[2 * threadIdx.x + 1] = m;
  reals[2 * threadIdx.x] = back, reals[2 * threadIdx.x + 1] = whole;
  doubles[threadIdx.x] = wide;
}

TEST(InlinePtx, Conversions) {
  const std::vector<float> in = {2.5f, -2.5f, 3.75f, 1e20f};
  DeviceArray<float> device(in), reals(8);
  DeviceArray<int> integers(8);
  DeviceArray<double> doubles(4);
  convert<<<1, 4>>>(device, integers, reals, doubles);
  EXPECT_EQ(integers.host(), (std::vector<int>{2, 2, -2, -2, 4, 3, 2147483647, 2147483647}));
  EXPECT_EQ(reals.host(), (std::vector<float>{2, 2, -2, -3, 4, 3, 2147483648.0f, 1e20f}));
  EXPECT_EQ(doubles.host(), (std::vector<double>{2.5, -2.5, 3.75, 1e20f}));
}

__global__ void in_warp(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  int down, from_three, any;
  unsigned ballot, valid, sum, active, same;
  asm volatile("shfl.sync.down.b32 %0, %1, 4, 0x1f, 0xffffffff;" : "=r"(down) : "r"(t * 10));
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0x0, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(from_three), "=r"(valid)
               : "r"(t));
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 7; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(ballot)
               : "r"(t % 8));
  asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 31; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }"
               : "=r"(any)
               : "r"(t));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(t));
  asm volatile("activemask.b32 %0;" : "=r"(active));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(t / 16));
  asm volatile("bar.warp.sync 0xffffffff;");
  int* mine = out + t * 8;
  mine[0] = down, mine[1] = from_three, mine[2] = static_cast<int>(valid), mine[3] = static_cast<int>(ballot);
  mine[4] = any, mine[5] = static_cast<int>(sum), mine[6] = static_cast<int>(active), mine[7] = static_cast<int>(same);
}

TEST(InlinePtx, WarpOperations) {
  DeviceArray<int> out(32 * 8);
  in_warp<<<1, 32>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 32; ++t) {
    const int* mine = &host[t * 8];
    EXPECT_EQ(mine[0], (t + 4 < 32 ? t + 4 : t) * 10);
    EXPECT_EQ(mine[1], t >= 3 ? t - 3 : t);
    EXPECT_EQ(mine[2], t >= 3);
    EXPECT_EQ(static_cast<unsigned>(mine[3]), 0x80808080u);
    EXPECT_EQ(mine[4], 1);
    EXPECT_EQ(mine[5], 496);
    EXPECT_EQ(static_cast<unsigned>(mine[6]), 0xffffffffu);
    EXPECT_EQ(static_cast<unsigned>(mine[7]), t < 16 ? 0xffffu : 0xffff0000u);
  }
}

__global__ void in_memory(const int4* in, int4* out, int* counter, float* sum, const int* flag, int* seen) {
  int4 v;
  asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(in + threadIdx.x));
  asm volatile("st.global.cs.v4.s32 [%0], {%1, %2, %3, %4};" ::"l"(out + threadIdx.x), "r"(v.w), "r"(v.z), "r"(v.y),
               "r"(v.x)
               : "memory");
  int old;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(counter), "r"(2) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
  int loaded;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1+4];" : "=r"(loaded) : "l"(flag) : "memory");
  seen[threadIdx.x] = loaded + (old % 2);
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(counter + 1), "r"(77) : "memory");
  unsigned swapped;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(swapped)
               : "l"(counter + 2), "r"(0), "r"(static_cast<int>(threadIdx.x) + 1)
               : "memory");
  seen[threadIdx.x] += swapped > 40;  // zero, or what the first thread put there
}

TEST(InlinePtx, MemoryOfEveryKind) {
  std::vector<int4> in;
  for (int i = 0; i < 40; ++i) in.push_back(make_int4(i, i * 2, i * 3, i * 4));
  DeviceArray<int4> device(in), out(40);
  DeviceArray<int> counter(3), flag(std::vector<int>{1, 55}), seen(40);
  DeviceArray<float> sum(1);
  in_memory<<<1, 40>>>(device, out, counter, sum, flag, seen);
  const auto host = out.host();
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(host[i].x, i * 4);
    EXPECT_EQ(host[i].w, i);
  }
  const auto counters = counter.host();
  EXPECT_EQ(counters[0], 80);
  EXPECT_EQ(counters[1], 77);
  EXPECT_NE(counters[2], 0);
  EXPECT_EQ(sum.host()[0], 20.0f);
  EXPECT_EQ(seen.host(), std::vector<int>(40, 55));
}

__global__ void copy_asynchronously(const float4* in, float4* out) {
  __shared__ float4 staged[64];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&staged[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = staged[63 - threadIdx.x];
}

TEST(InlinePtx, AsynchronousCopies) {
  std::vector<float4> in;
  for (int i = 0; i < 64; ++i) in.push_back(make_float4(i * 1.0f, i * 2.0f, i * 3.0f, i * 4.0f));
  DeviceArray<float4> device(in), out(64);
  copy_asynchronously<<<1, 64>>>(device, out);
  const auto host = out.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(std::memcmp(&host[i], &in[63 - i], sizeof(float4)), 0);
}

__device__ void end_thread() { asm volatile("exit;"); }

__global__ void end_early(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  out[t] = 1;
  if (t % 3 == 0) end_thread();
  out[t] = 2;
  __syncthreads();
  out[t] = 3;
}

TEST(InlinePtx, AThreadEndsInTheMiddle) {
  DeviceArray<int> out(64);
  end_early<<<1, 64>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(host[t], t % 3 == 0 ? 1 : 3);
}

__global__ void long_numbers(const unsigned* a, const unsigned* b, unsigned* sum, unsigned* difference,
                             unsigned* product) {
  asm("add.cc.u32 %0, %3, %6;\n\t addc.cc.u32 %1, %4, %7;\n\t addc.u32 %2, %5, %8;"
      : "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(b[0]), "r"(b[1]), "r"(b[2]));
  asm("sub.cc.u32 %0, %3, %6; subc.cc.u32 %1, %4, %7; subc.u32 %2, %5, %8;"
      : "=r"(difference[0]), "=r"(difference[1]), "=r"(difference[2])
      : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(a[0]), "r"(a[1]), "r"(a[2]));
  asm("{ mul.lo.u32 %0, %2, %3; mul.hi.u32 %1, %2, %3; mad.lo.cc.u32 %0, %4, %5, %0; madc.hi.u32 %1, %4, %5, %1; }"
      : "=&r"(product[0]), "=&r"(product[1])
      : "r"(a[0]), "r"(b[0]), "r"(a[1]), "r"(b[1]));
}

TEST(InlinePtx, NumbersLongerThanARegister) {
  DeviceArray<unsigned> a({0xfffffff0u, 0xffffffffu, 5u}), b({0x20u, 1u, 3u}), sum(3), difference(3), product(2);
  long_numbers<<<1, 1>>>(a, b, sum, difference, product);
  EXPECT_EQ(sum.host(), (std::vector<unsigned>{0x10, 1, 9}));
  EXPECT_EQ(difference.host(), (std::vector<unsigned>{0x30, 1, 0xfffffffdu}));
  EXPECT_EQ(product.host(), (std::vector<unsigned>{0xfffffdffu, 0x20u}));
}

__global__ void rare_arithmetic(float* real, int* dots) {
  asm("tanh.approx.f32 %0, %1;" : "=f"(real[0]) : "f"(0.75f));
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(dots[0]) : "r"(0x7f80ff01), "r"(0x02030405), "r"(100));
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(dots[1]) : "r"(0x7f80ff01), "r"(0x020304fb), "r"(-3));
}

TEST(InlinePtx, RareArithmetic) {
  DeviceArray<float> real(1);
  DeviceArray<int> dots(2);
  rare_arithmetic<<<1, 1>>>(real, dots);
  EXPECT_NEAR(real.host()[0], 0.635149f, 0.001f);
  EXPECT_EQ(dots.host()[0], 127 * 2 - 128 * 3 - 4 + 5 + 100);
  EXPECT_EQ(dots.host()[1], 127 * 2 + 128 * 3 + 255 * 4 - 5 - 3);
}

// One warp fills a buffer and the other empties it: each publishes its position and waits only for the other.
__global__ void fill_and_empty(int* out) {
  __shared__ int buffer[32];
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int turn = 0; turn < 4; ++turn) {
    if (threadIdx.x < 32) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      buffer[lane] = turn * 100 + lane;
      asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else {
      asm volatile("bar.arrive 1, 64;" ::: "memory");
      asm volatile("barrier.sync 2, 64;" ::: "memory");
      out[turn * 32 + lane] = buffer[31 - lane];
    }
  }
}

TEST(InlinePtx, BarriersAtWhichSomeOnlyArrive) {
  DeviceArray<int> out(128);
  fill_and_empty<<<1, 64>>>(out);
  const auto host = out.host();
  for (int i = 0; i < 128; ++i) EXPECT_EQ(host[i], i / 32 * 100 + 31 - i % 32);
}

// A register that an instruction of type b32 wrote, and a predicated one of type f32 may not: the step of CUB's scans.
__global__ void scan_floats(const float* in, float* out) {
  float sum = in[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2) {
    float next;
    asm volatile(
        "{ .reg .f32 r0; .reg .pred p;"
        "  shfl.sync.up.b32 r0|p, %1, %2, 0, -1;"
        "  @p add.f32 r0, r0, %1;"
        "  mov.f32 %0, r0; }"
        : "=f"(next)
        : "f"(sum), "r"(distance));
    sum = next;
  }
  out[threadIdx.x] = sum;
}

TEST(InlinePtx, PredicatedInstructionsKeepTheBitsOfARegister) {
  std::vector<float> in(64);
  for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i % 5 + 1);
  DeviceArray<float> device_in(in), out(64);
  scan_floats<<<1, 64>>>(device_in, out);
  const auto host = out.host();
  for (int warp = 0; warp < 2; ++warp)
    for (int lane = 0, sum = 0; lane < 32; ++lane) {
      sum += (warp * 32 + lane) % 5 + 1;
      EXPECT_EQ(host[warp * 32 + lane], static_cast<float>(sum)) << "warp " << warp << ", lane " << lane;
    }
}

}  // namespace

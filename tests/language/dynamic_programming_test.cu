// The fused minimum, maximum and addition functions (DPX), on both sides, against plain expressions.
#include <algorithm>
#include <random>

#include "device_array.h"

namespace {

constexpr int results = 34;

__host__ __device__ void compute(unsigned a, unsigned b, unsigned c, unsigned* out) {
  const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
  bool p, q;
  unsigned picked;
  int i = 0;
#define BOTH(which)                                                     \
  out[i++] = static_cast<unsigned>(__viadd##which##_s32(x, y, z));      \
  out[i++] = static_cast<unsigned>(__viadd##which##_s32_relu(x, y, z)); \
  out[i++] = __viadd##which##_u32(a, b, c);                             \
  out[i++] = static_cast<unsigned>(__vi##which##3_s32(x, y, z));        \
  out[i++] = static_cast<unsigned>(__vi##which##3_s32_relu(x, y, z));   \
  out[i++] = __vi##which##3_u32(a, b, c);                               \
  out[i++] = static_cast<unsigned>(__vi##which##_s32_relu(x, y));       \
  out[i++] = __viadd##which##_s16x2(a, b, c);                           \
  out[i++] = __viadd##which##_s16x2_relu(a, b, c);                      \
  out[i++] = __viadd##which##_u16x2(a, b, c);                           \
  out[i++] = __vi##which##3_s16x2(a, b, c);                             \
  out[i++] = __vi##which##3_s16x2_relu(a, b, c);                        \
  out[i++] = __vi##which##3_u16x2(a, b, c);                             \
  out[i++] = __vi##which##_s16x2_relu(a, b);                            \
  picked = static_cast<unsigned>(__vib##which##_s32(x, y, &p));         \
  out[i++] = picked ^ p;                                                \
  picked = __vib##which##_u32(a, b, &p);                                \
  out[i++] = picked ^ p;                                                \
  picked = __vib##which##_s16x2(a, b, &p, &q);                          \
  out[i++] = picked ^ (p * 2u + q);
  BOTH(max)
  BOTH(min)
#undef BOTH
}

__global__ void on_device(const unsigned* in, unsigned* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) compute(in[3 * i], in[3 * i + 1], in[3 * i + 2], out + results * i);
}

template <class Pick>
void expect(unsigned a, unsigned b, unsigned c, Pick pick, bool largest, std::vector<unsigned>& out) {
  const auto s32 = [](unsigned v) { return static_cast<long long>(static_cast<int>(v)); };
  const auto relu = [](long long v) { return static_cast<unsigned>(std::max(v, 0ll)); };
  const auto first = [&](long long x, long long y) { return largest ? x >= y : x <= y; };
  out.push_back(static_cast<unsigned>(pick(s32(a + b), s32(c))));
  out.push_back(relu(pick(s32(a + b), s32(c))));
  out.push_back(static_cast<unsigned>(pick(static_cast<long long>(a + b), static_cast<long long>(c))));
  out.push_back(static_cast<unsigned>(pick(pick(s32(a), s32(b)), s32(c))));
  out.push_back(relu(pick(pick(s32(a), s32(b)), s32(c))));
  out.push_back(static_cast<unsigned>(
      pick(pick(static_cast<long long>(a), static_cast<long long>(b)), static_cast<long long>(c))));
  out.push_back(relu(pick(s32(a), s32(b))));
  const auto halves = [&](auto function) {
    unsigned word = 0;
    for (int h = 0; h < 2; ++h)
      word |=
          (static_cast<unsigned>(function(a >> 16 * h & 0xffff, b >> 16 * h & 0xffff, c >> 16 * h & 0xffff)) & 0xffff)
          << 16 * h;
    return word;
  };
  const auto s16 = [](unsigned v) { return static_cast<long long>(static_cast<short>(v)); };
  const auto u16 = [](unsigned v) { return static_cast<long long>(v & 0xffff); };
  out.push_back(halves([&](unsigned x, unsigned y, unsigned z) { return pick(s16(x + y), s16(z)); }));
  out.push_back(halves([&](unsigned x, unsigned y, unsigned z) { return std::max(pick(s16(x + y), s16(z)), 0ll); }));
  out.push_back(halves([&](unsigned x, unsigned y, unsigned z) { return pick(u16(x + y), u16(z)); }));
  out.push_back(halves([&](unsigned x, unsigned y, unsigned z) { return pick(pick(s16(x), s16(y)), s16(z)); }));
  out.push_back(
      halves([&](unsigned x, unsigned y, unsigned z) { return std::max(pick(pick(s16(x), s16(y)), s16(z)), 0ll); }));
  out.push_back(halves([&](unsigned x, unsigned y, unsigned z) { return pick(pick(u16(x), u16(y)), u16(z)); }));
  out.push_back(halves([&](unsigned x, unsigned y, unsigned) { return std::max(pick(s16(x), s16(y)), 0ll); }));
  out.push_back(static_cast<unsigned>(pick(s32(a), s32(b))) ^ first(s32(a), s32(b)));
  out.push_back(static_cast<unsigned>(pick(static_cast<long long>(a), static_cast<long long>(b))) ^ first(a, b));
  out.push_back(halves([&](unsigned x, unsigned y, unsigned) { return pick(s16(x), s16(y)); }) ^
                (first(s16(a >> 16), s16(b >> 16)) * 2u + first(s16(a), s16(b))));
}

TEST(DynamicProgramming, FusedMinimaAndMaxima) {
  std::mt19937 random(4);
  const unsigned corners[] = {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x7fff8000u, 0x80007fffu, 0xffff0001u};
  std::vector<unsigned> in;
  for (int i = 0; i < 3000; ++i) in.push_back(random() % 3 ? random() : corners[random() % 8]);
  const int count = static_cast<int>(in.size() / 3);
  DeviceArray<unsigned> device(in), out(results * count);
  on_device<<<(count + 63) / 64, 64>>>(device, out, count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i) {
    const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    std::vector<unsigned> wanted;
    expect(a, b, c, [](long long x, long long y) { return std::max(x, y); }, true, wanted);
    expect(a, b, c, [](long long x, long long y) { return std::min(x, y); }, false, wanted);
    ASSERT_EQ(wanted.size(), static_cast<std::size_t>(results));
    unsigned here[results];
    compute(a, b, c, here);
    for (int r = 0; r < results; ++r) {
      ASSERT_EQ(host[results * i + r], wanted[r]) << "device, result " << r << " of " << a << " " << b << " " << c;
      ASSERT_EQ(here[r], wanted[r]) << "host, result " << r << " of " << a << " " << b << " " << c;
    }
  }
}

}  // namespace

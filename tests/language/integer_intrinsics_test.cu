// Integer intrinsics against plain loops over bits and bytes.
#include <cstdint>
#include <cstdlib>
#include <random>

#include "device_array.h"

namespace {

std::vector<unsigned> words(unsigned seed, int count) {
  std::vector<unsigned> values = {0u,          1u,          2u,          0x7fffffffu, 0x80000000u, 0xffffffffu,
                                  0x00ff00ffu, 0x80808080u, 0x7f7f7f7fu, 0x8000ffffu, 0x01010101u, 0xff00ff00u};
  std::mt19937 random(seed);
  while (static_cast<int>(values.size()) < count) values.push_back(random() >> random() % 32);
  return values;
}

constexpr int count = 1500, results = 36;

__global__ void intrinsics(const unsigned* a, const unsigned* b, const unsigned* c, unsigned long long* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const unsigned x = a[i], y = b[i], z = c[i];
  const int sx = static_cast<int>(x), sy = static_cast<int>(y);
  const unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y,
                           other = static_cast<unsigned long long>(y) << 32 | z;
  unsigned long long* mine = out + i * results;
  int at = 0;
  mine[at++] = __popc(x);
  mine[at++] = __popcll(wide);
  mine[at++] = __clz(sx);
  mine[at++] = __clzll(static_cast<long long>(wide));
  mine[at++] = __ffs(sx);
  mine[at++] = __ffsll(static_cast<long long>(wide));
  mine[at++] = __brev(x);
  mine[at++] = __brevll(wide);
  mine[at++] = __byte_perm(x, y, z);
  mine[at++] = __funnelshift_l(x, y, z);
  mine[at++] = __funnelshift_r(x, y, z);
  mine[at++] = __funnelshift_lc(x, y, z % 50);
  mine[at++] = __funnelshift_rc(x, y, z % 50);
  mine[at++] = static_cast<unsigned>(__mulhi(sx, sy));
  mine[at++] = __umulhi(x, y);
  mine[at++] = static_cast<unsigned long long>(__mul64hi(static_cast<long long>(wide), static_cast<long long>(other)));
  mine[at++] = __umul64hi(wide, other);
  mine[at++] = static_cast<unsigned>(__mul24(sx, sy));
  mine[at++] = __umul24(x, y);
  mine[at++] = __sad(sx, sy, z);
  mine[at++] = __usad(x, y, z);
  mine[at++] = static_cast<unsigned>(__hadd(sx, sy));
  mine[at++] = static_cast<unsigned>(__rhadd(sx, sy));
  mine[at++] = __uhadd(x, y);
  mine[at++] = __urhadd(x, y);
  mine[at++] = static_cast<unsigned>(__dp4a(sx, sy, static_cast<int>(z)));
  mine[at++] = __dp4a(x, y, z);
  mine[at++] = static_cast<unsigned>(__dp2a_lo(sx, sy, static_cast<int>(z)));
  mine[at++] = __dp2a_hi(x, y, z);
  mine[at++] = static_cast<unsigned>(min(sx, sy)) + static_cast<unsigned>(max(x, y));
  mine[at++] = static_cast<unsigned long long>(min(static_cast<long long>(wide), static_cast<long long>(other)));
  mine[at++] = max(wide, other);
  mine[at++] = static_cast<unsigned>(abs(sx));
  mine[at++] = static_cast<unsigned long long>(llabs(static_cast<long long>(wide)));
  mine[at++] = static_cast<unsigned>(__float_as_int(__uint_as_float(x))) ^
               static_cast<unsigned>(__double2hiint(__hiloint2double(sx, sy)));
  mine[at++] = __fns(x, z % 32, static_cast<int>(z % 9) - 4);
}

unsigned long long bit(unsigned long long x, int i) { return x >> i & 1; }

std::vector<unsigned long long> expected(unsigned x, unsigned y, unsigned z) {
  const std::int64_t sx = static_cast<int>(x), sy = static_cast<int>(y);
  const unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y,
                           other = static_cast<unsigned long long>(y) << 32 | z;
  const auto low32 = [](std::int64_t v) { return static_cast<unsigned long long>(static_cast<unsigned>(v)); };
  unsigned long long pop = 0, pop_wide = 0, leading = 32, leading_wide = 64, first = 0, first_wide = 0, reversed = 0,
                     reversed_wide = 0;
  for (int i = 0; i < 64; ++i) {
    if (i < 32 && bit(x, i)) ++pop, leading = 31 - i, first = first ? first : i + 1, reversed |= 1ull << (31 - i);
    if (bit(wide, i))
      ++pop_wide, leading_wide = 63 - i, first_wide = first_wide ? first_wide : i + 1,
                  reversed_wide |= 1ull << (63 - i);
  }
  const unsigned long long pair = static_cast<unsigned long long>(y) << 32 | x;
  unsigned long long permuted = 0;
  for (int i = 0; i < 4; ++i) permuted |= (pair >> 8 * (z >> 4 * i & 7) & 0xff) << 8 * i;
  const unsigned shift = z & 31, clamped = z % 50 < 32 ? z % 50 : 32;
  const auto left = [&](unsigned s) { return s == 32 ? x : static_cast<unsigned>((pair << s) >> 32); };
  const auto right = [&](unsigned s) { return static_cast<unsigned>(s == 32 ? y : pair >> s); };
  const __int128 product = static_cast<__int128>(static_cast<long long>(wide)) * static_cast<long long>(other);
  const unsigned __int128 unsigned_product = static_cast<unsigned __int128>(wide) * other;
  const auto low24 = [](unsigned v) { return static_cast<std::int64_t>(static_cast<int>(v << 8) >> 8); };
  std::int64_t dot = static_cast<int>(z), dot2 = static_cast<int>(z);
  unsigned unsigned_dot = z, unsigned_dot2 = z;
  for (int i = 0; i < 4; ++i) {
    dot += static_cast<signed char>(x >> 8 * i) * static_cast<signed char>(y >> 8 * i);
    unsigned_dot += (x >> 8 * i & 255) * (y >> 8 * i & 255);
  }
  for (int i = 0; i < 2; ++i) {
    dot2 += static_cast<short>(x >> 16 * i) * static_cast<signed char>(y >> 8 * i);
    unsigned_dot2 += (x >> 16 * i & 0xffff) * (y >> (16 + 8 * i) & 255);
  }
  const int wanted = static_cast<int>(z % 9) - 4;
  unsigned long long nth = 0xffffffffu;
  int left_to_find = wanted < 0 ? -wanted : wanted;
  if (wanted == 0) nth = bit(x, z % 32) ? z % 32 : nth;
  for (int i = z % 32; wanted != 0 && i >= 0 && i < 32; i += wanted < 0 ? -1 : 1)
    if (bit(x, i) && --left_to_find == 0) nth = i;
  return {pop,
          pop_wide,
          leading,
          leading_wide,
          first,
          first_wide,
          reversed,
          reversed_wide,
          permuted,
          left(shift),
          right(shift),
          left(clamped),
          right(clamped),
          low32(sx * sy >> 32),
          static_cast<unsigned long long>(x) * y >> 32,
          static_cast<unsigned long long>(product >> 64),
          static_cast<unsigned long long>(unsigned_product >> 64),
          low32(low24(x) * low24(y)),
          low32((x & 0xffffffll) * (y & 0xffffffll)),
          low32(std::abs(sx - sy) + z),
          low32((x > y ? x - y : y - x) + static_cast<std::int64_t>(z)),
          low32((sx + sy) >> 1),
          low32((sx + sy + 1) >> 1),
          (static_cast<unsigned long long>(x) + y) >> 1,
          (static_cast<unsigned long long>(x) + y + 1) >> 1,
          low32(dot),
          unsigned_dot,
          low32(dot2),
          unsigned_dot2,
          low32(static_cast<unsigned>(std::min(sx, sy)) + std::max(x, y)),
          static_cast<unsigned long long>(std::min(static_cast<long long>(wide), static_cast<long long>(other))),
          std::max(wide, other),
          low32(sx < 0 ? -sx : sx),
          static_cast<long long>(wide) < 0 ? 0ull - wide : wide,
          0ull,
          nth};
}

TEST(IntegerIntrinsics, AgreeWithPlainLoops) {
  const auto a = words(1, count), b = words(2, count), c = words(3, count);
  std::vector<unsigned> mixed_b = b;
  for (int i = 0; i < 12; ++i) std::swap(mixed_b[i], mixed_b[i * 41 + 100]);
  DeviceArray<unsigned> device_a(a), device_b(mixed_b), device_c(c);
  DeviceArray<unsigned long long> out(count * results);
  intrinsics<<<(count + 127) / 128, 128>>>(device_a, device_b, device_c, out);
  const auto host = out.host();
  for (int i = 0; i < count; ++i) {
    const auto wanted = expected(a[i], mixed_b[i], c[i]);
    for (int r = 0; r < results; ++r)
      ASSERT_EQ(host[i * results + r], wanted[r])
          << "result " << r << " of " << a[i] << " " << mixed_b[i] << " " << c[i];
  }
}

}  // namespace

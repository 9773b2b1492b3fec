// Arithmetic on the halves and bytes of a word, against loops over them.
#include <algorithm>
#include <cmath>
#include <random>

#include "device_array.h"

namespace {

// clang-format off
#define FUNCTIONS(X, n)                                                                                              \
  X(vadd##n) X(vsub##n) X(vaddss##n) X(vaddus##n) X(vsubss##n) X(vsubus##n) X(vabsdiffs##n) X(vabsdiffu##n) X(vavgs##n) \
  X(vavgu##n) X(vhaddu##n) X(vmaxs##n) X(vmaxu##n) X(vmins##n) X(vminu##n) X(vsads##n) X(vsadu##n) X(vseteq##n)        \
  X(vsetne##n) X(vsetges##n) X(vsetgeu##n) X(vsetgts##n) X(vsetgtu##n) X(vsetles##n) X(vsetleu##n) X(vsetlts##n)       \
  X(vsetltu##n) X(vcmpeq##n) X(vcmpne##n) X(vcmpges##n) X(vcmpgeu##n) X(vcmpgts##n) X(vcmpgtu##n) X(vcmples##n)        \
  X(vcmpleu##n) X(vcmplts##n) X(vcmpltu##n)
// clang-format on
#define UNARY(X, n) X(vabs##n) X(vabsss##n) X(vneg##n) X(vnegss##n)

constexpr int functions = 37 + 4;

template <int Lanes>
__global__ void compute(const unsigned* a, const unsigned* b, unsigned* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const unsigned x = a[i], y = b[i];
  unsigned* mine = out + i * functions;
#define BINARY_CALL(name) *mine++ = __##name(x, y);
#define UNARY_CALL(name) *mine++ = __##name(x);
  if constexpr (Lanes == 2) {
    FUNCTIONS(BINARY_CALL, 2)
    UNARY(UNARY_CALL, 2)
  } else {
    FUNCTIONS(BINARY_CALL, 4)
    UNARY(UNARY_CALL, 4)
  }
}

template <int Lanes>
std::vector<unsigned> expected(unsigned x, unsigned y) {
  constexpr int bits = 32 / Lanes, most = (1 << (bits - 1)) - 1, least = -(1 << (bits - 1)), top = (1 << bits) - 1;
  std::vector<unsigned> all;
  const auto each = [&](bool is_signed, bool sum, auto function) {
    unsigned result = 0;
    for (int lane = 0; lane < Lanes; ++lane) {
      int p = static_cast<int>(x >> lane * bits & top), q = static_cast<int>(y >> lane * bits & top);
      if (is_signed) p = p > most ? p - top - 1 : p, q = q > most ? q - top - 1 : q;
      const int value = function(p, q);
      if (sum)
        result += static_cast<unsigned>(value);
      else
        result |= (static_cast<unsigned>(value) & top) << lane * bits;
    }
    all.push_back(result);
  };
  const auto to_signed = [=](int v) { return std::min(std::max(v, least), most); };
  const auto to_unsigned = [=](int v) { return std::min(std::max(v, 0), top); };
  const auto difference = [](int p, int q) { return p > q ? p - q : q - p; };
  each(false, false, [](int p, int q) { return p + q; });
  each(false, false, [](int p, int q) { return p - q; });
  each(true, false, [&](int p, int q) { return to_signed(p + q); });
  each(false, false, [&](int p, int q) { return to_unsigned(p + q); });
  each(true, false, [&](int p, int q) { return to_signed(p - q); });
  each(false, false, [&](int p, int q) { return to_unsigned(p - q); });
  each(true, false, difference);
  each(false, false, difference);
  each(true, false, [](int p, int q) { return static_cast<int>(std::floor((p + q) / 2.0)) + ((p + q) % 2 == 1); });
  each(false, false, [](int p, int q) { return (p + q + 1) / 2; });
  each(false, false, [](int p, int q) { return (p + q) / 2; });
  each(true, false, [](int p, int q) { return std::max(p, q); });
  each(false, false, [](int p, int q) { return std::max(p, q); });
  each(true, false, [](int p, int q) { return std::min(p, q); });
  each(false, false, [](int p, int q) { return std::min(p, q); });
  each(true, true, difference);
  each(false, true, difference);
  for (int yes : {1, -1}) {
    each(false, false, [=](int p, int q) { return p == q ? yes : 0; });
    each(false, false, [=](int p, int q) { return p != q ? yes : 0; });
    for (bool is_signed : {true, false}) each(is_signed, false, [=](int p, int q) { return p >= q ? yes : 0; });
    for (bool is_signed : {true, false}) each(is_signed, false, [=](int p, int q) { return p > q ? yes : 0; });
    for (bool is_signed : {true, false}) each(is_signed, false, [=](int p, int q) { return p <= q ? yes : 0; });
    for (bool is_signed : {true, false}) each(is_signed, false, [=](int p, int q) { return p < q ? yes : 0; });
  }
  each(true, false, [](int p, int) { return p < 0 ? -p : p; });
  each(true, false, [&](int p, int) { return to_signed(p < 0 ? -p : p); });
  each(true, false, [](int p, int) { return -p; });
  each(true, false, [&](int p, int) { return to_signed(-p); });
  return all;
}

template <int Lanes>
void check() {
  std::mt19937 random(Lanes);
  const unsigned corners[] = {0x00007fffu, 0x80008000u, 0xffff0001u, 0x7f80ff01u,
                              0x80808080u, 0x7fff7fffu, 0u,          0xffffffffu};
  std::vector<unsigned> a, b;
  for (unsigned x : corners)
    for (unsigned y : corners) a.push_back(x), b.push_back(y);
  while (a.size() < 1000)
    a.push_back(random()), b.push_back(random() % 4 ? random() : a.back() ^ (random() & 0x00ff00ffu));
  const int count = static_cast<int>(a.size());
  DeviceArray<unsigned> device_a(a), device_b(b), out(a.size() * functions);
  compute<Lanes><<<(count + 63) / 64, 64>>>(device_a, device_b, out, count);
  const auto host = out.host();
  for (int i = 0; i < count; ++i) {
    const auto wanted = expected<Lanes>(a[i], b[i]);
    ASSERT_EQ(wanted.size(), static_cast<std::size_t>(functions));
    for (int r = 0; r < functions; ++r)
      ASSERT_EQ(host[i * functions + r], wanted[r]) << "function " << r << " of " << std::hex << a[i] << " " << b[i];
  }
}

TEST(Video, TwoHalves) { check<2>(); }
TEST(Video, FourBytes) { check<4>(); }

}  // namespace

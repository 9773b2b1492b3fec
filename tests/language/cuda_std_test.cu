// cuda::std: a kernel and the host run each function below, with the same expected result.
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/concepts>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/ctime>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numbers>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "device_array.h"

namespace {

namespace cs = cuda::std;

using Numbers = cs::array<double, 16>;

template <class F>
__global__ void run(F f, Numbers* out) {
  f(*out);
}

template <class F>
void expect(F f, std::vector<double> expected) {
  Numbers here{};
  f(here);
  DeviceArray<Numbers> there(1);
  ASSERT_CUDA(cudaMemset(there, 0, sizeof(Numbers)));
  run<<<1, 1>>>(f, there);
  ASSERT_CUDA(cudaDeviceSynchronize());
  const Numbers device = there.host()[0];
  expected.resize(16);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_DOUBLE_EQ(here[i], expected[i]) << "host, number " << i;
    EXPECT_DOUBLE_EQ(device[i], expected[i]) << "device, number " << i;
  }
}

struct Pairs {
  __host__ __device__ void operator()(Numbers& out) const {
    cs::pair<int, float> p(1, 2.5f);
    p = cs::make_pair(3, 4.5f);
    auto [number, fraction] = p;
    out[0] = number + fraction;
    cs::pair q{7, 8};
    cs::pair<int, int> r(1, 2);
    cs::swap(q, r);
    out[1] = q.first * 10 + r.second;
    out[2] = cs::get<1>(p);
    out[3] = (cs::make_pair(1, 2) < cs::make_pair(1, 3)) + 2 * (r == cs::make_pair(7, 8));
    int a = 5;
    out[4] = cs::exchange(a, 6) * 10 + a;
    out[5] = cs::cmp_less(-1, 1u) + 2 * cs::cmp_greater(1u, -1) + 4 * cs::cmp_equal(-1, ~0u);
    cs::pair<double, double> wider = q;
    out[6] = wider.first + wider.second;
  }
};
TEST(CudaStd, Pairs) { expect(Pairs(), {7.5, 18, 4.5, 3, 56, 3, 3}); }

struct Tuples {
  __host__ __device__ static cs::tuple<int, double, char> three() { return {1, 2.5, 'c'}; }
  __host__ __device__ void operator()(Numbers& out) const {
    auto [i, d, c] = three();
    out[0] = i + d + c;
    int a;
    double b;
    cs::tie(a, b, cs::ignore) = three();
    out[1] = a * b;
    auto t = cs::make_tuple(1, 2.0f, 3u);
    cs::get<0>(t) = 10;
    cs::get<float>(t) += 1;
    out[2] = cs::get<0>(t) + cs::get<1>(t) + cs::get<2>(t);
    out[3] = cs::apply([](int x, float y, unsigned z) { return x * y + z; }, t);
    out[4] = cs::tuple_size_v<decltype(t)> + cs::is_same_v<cs::tuple_element_t<1, decltype(t)>, float>;
    const auto joined = cs::tuple_cat(t, cs::make_tuple(100L), cs::tuple<>());
    out[5] = cs::get<3>(joined) + cs::tuple_size_v<decltype(joined)>;
    out[6] =
        (cs::make_tuple(1, 2) < cs::make_tuple(1, 3)) + 2 * (t == t) + 4 * (cs::make_tuple(2) != cs::make_tuple(2));
    int left = 1, right = 2;
    cs::tie(left, right) = cs::make_tuple(right, left);
    out[7] = left * 10 + right;
    cs::tie(left, right) = cs::make_pair(8, 9);
    out[8] = left * 10 + right;
    cs::tuple<long, double> wider = cs::make_tuple(3, 4.0f);
    out[9] = cs::get<0>(wider) * cs::get<1>(wider);
    cs::tuple deduced{5, 6.0};
    auto copy = deduced;
    cs::get<0>(copy) = 50;
    cs::swap(copy, deduced);
    out[10] = cs::get<0>(copy) + cs::get<0>(deduced);
    const cs::tuple<int&, int> refers(left, 1);
    cs::get<0>(refers) = 70;
    cs::get<int&>(refers) += 7;
    static_assert(cs::is_same_v<decltype(cs::get<1>(refers)), const int&>, "only references lead to what may change");
    out[11] = left + cs::get<int>(cs::make_tuple(3, 4.0));
  }
};
TEST(CudaStd, Tuples) { expect(Tuples(), {102.5, 2.5, 16, 33, 4, 104, 3, 21, 89, 12, 55, 80}); }

struct Arrays {
  __host__ __device__ void operator()(Numbers& out) const {
    cs::array<int, 4> a = {1, 2, 3, 4};
    a[1] = 20;
    int sum = 0;
    for (int x : a) sum += x;
    out[0] = sum;
    out[1] = a.size() + a.front() * 10 + a.back() * 100 + a.at(1) * 1000;
    cs::array b = {1, 20, 3, 5};
    out[2] = (a < b) + 2 * (a == b) + 4 * !a.empty();
    b.fill(7);
    cs::swap(a, b);
    out[3] = a[0] * 10 + b[3];
    auto [x, y, z, w] = b;
    out[4] = x + y + z + w;
    out[5] = *a.rbegin() + cs::get<2>(b) + (a.end() - a.begin());
    constexpr cs::array<int, 3> fixed{5, 6, 7};
    static_assert(fixed[1] == 6, "known when it is compiled");
    out[6] = cs::accumulate(fixed.begin(), fixed.end(), 0);
    cs::array<cs::array<float, 2>, 2> nested = {{{1, 2}, {3, 4}}};
    out[7] = nested[1][0];
    cs::array<int, 0> none, other = {};
    const cs::array<int, 0>& fixed_none = none;
    none.swap(other);
    for (int& element : none) element = 1;
    out[8] = (none == other) + 2 * (none < other) + 4 * none.empty() + (fixed_none.end() - fixed_none.begin());
    static_assert(cs::is_same_v<decltype(fixed_none.data()), const int*>, "as of other arrays");
  }
};
TEST(CudaStd, Arrays) { expect(Arrays(), {28, 20414, 5, 74, 28, 14, 18, 3, 5}); }

struct Spans {
  __host__ __device__ static int sum(cs::span<const int> values) {
    int total = 0;
    for (const int& value : values) total += value;
    return total;
  }
  __host__ __device__ void operator()(Numbers& out) const {
    int plain[5] = {1, 2, 3, 4, 5};
    cs::array<int, 3> array = {10, 20, 30};
    cs::span<int> s(plain, 4);
    s[0] = 7;
    out[0] = sum(s);
    out[1] = sum(plain);
    out[2] = sum(array);
    out[3] = s.subspan(1, 2)[1] + s.first(2).size() * 10 + s.last(1).front() * 100;
    cs::span<int, 5> fixed(plain);
    out[4] = fixed.size() + decltype(fixed)::extent * 10 + fixed.subspan<2>().size() * 100;
    out[5] = s.size_bytes() + (s.data() == plain) + s.back() + s.empty();
    cs::span deduced(array);
    out[6] = deduced.extent;
    out[7] = cs::as_bytes(s).size() + sizeof(fixed) + sizeof(s);
    out[8] = cs::span<int>().empty() + (cs::dynamic_extent == static_cast<cs::size_t>(-1));
    int* const pointer = plain;
    out[9] = cs::span<int>(pointer, 0).size() + cs::span<int>(pointer, pointer + 2).size();
    static_assert(cs::is_convertible_v<cs::span<int, 2>, cs::span<const int>> &&
                      !cs::is_convertible_v<cs::span<int>, cs::span<int, 2>> &&
                      !cs::is_constructible_v<cs::span<int>, const cs::array<int, 3>&>,
                  "what is not known must be asked for");
#ifdef __clang__
    static_assert(!cs::is_constructible_v<cs::span<int, 2>, int(&)[5]> &&
                      !cs::is_constructible_v<cs::span<int, 2>, cs::array<int, 3>&>,
                  "a view of two is none of three; nvcc 13.0 takes it");
#endif
    out[10] = cs::span<int, 4>(s).size() + sum(cs::span<const int, 3>(array));
  }
};
TEST(CudaStd, Spans) { expect(Spans(), {16, 21, 60, 423, 355, 21, 3, 40, 2, 2, 64}); }

// Counts its constructions and destructions.
struct Counted {
  int* made;
  __host__ __device__ explicit Counted(int* counter) : made(counter) { ++*made; }
  __host__ __device__ Counted(const Counted& other) : made(other.made) { ++*made; }
  __host__ __device__ Counted& operator=(const Counted& other) {
    made = other.made;
    return *this;
  }
  __host__ __device__ ~Counted() { --*made; }
};
struct Optionals {
  __host__ __device__ static cs::optional<int> half(int x) {
    if (x % 2) return cs::nullopt;
    return x / 2;
  }
  __host__ __device__ void operator()(Numbers& out) const {
    out[0] = half(10).value() + half(3).value_or(100);
    auto maybe = half(3);
    out[1] = maybe.has_value() + 2 * (maybe == cs::nullopt);
    maybe = 6;
    out[2] = *maybe + (maybe ? 10 : 0) + (maybe == 6 ? 100 : 0);
    maybe.reset();
    maybe.emplace(9);
    cs::optional<int> copy = maybe;
    maybe = cs::nullopt;
    out[3] = *copy + maybe.has_value();
    cs::optional<cs::pair<int, int>> p = cs::make_pair(1, 2);
    p->second = 5;
    out[4] = p->first + p->second;
    maybe = 5;
    maybe = {};
    out[5] = maybe.has_value() + 2 * (cs::nullopt == maybe);
    const cs::optional<int> none, zero = 0;
    cs::optional<double> wide = cs::optional<float>(1.5f);
    wide = zero;
    wide = cs::optional<float>(2.5f);
    out[6] = *wide;
    out[7] = (none < zero) + 2 * (zero < none) + 4 * (none <= cs::nullopt) + 8 * (cs::nullopt < zero) +
             16 * (zero >= 0) + 32 * (1 > zero) + 64 * (none < 0) + 128 * (none != none) + 256 * (0 == zero) +
             512 * (cs::nullopt != zero);
    static_assert(!cs::is_convertible_v<int*, cs::optional<Counted>>,
                  "what makes a value explicitly makes its optional so");
  }
};
TEST(CudaStd, Optionals) { expect(Optionals(), {105, 2, 116, 9, 6, 2, 2.5, 1 + 4 + 8 + 16 + 32 + 64 + 256 + 512}); }

#ifdef __clang__
// From another optional's value, not from whether it has one. Refused by nvcc 13.0.
struct OptionalsOfBool {
  __host__ __device__ void operator()(Numbers& out) const {
    cs::optional<int> none, zero = 0;
    cs::optional<bool> flag = zero;
    out[0] = flag.has_value() + 2 * *flag;
    flag = true;
    flag = none;
    out[1] = flag.has_value() + 2 * cs::optional<bool>(none).has_value();
  }
};
TEST(CudaStd, OptionalsOfBool) { expect(OptionalsOfBool(), {1, 0}); }
#endif

struct OptionalsThatOwn {
  __host__ __device__ void operator()(Numbers& out) const {
    int made = 0;
    {
      cs::optional<Counted> a(Counted{&made}), b;
      out[0] = made;
      b = a;
      out[1] = made;
      a.reset();
      out[2] = made;
      a = b;
      cs::optional<Counted> c = a;
      out[3] = made;
      a = cs::nullopt;
      b = a;
      out[4] = made;
    }
    out[5] = made;
  }
};
TEST(CudaStd, OptionalsThatOwn) { expect(OptionalsThatOwn(), {1, 2, 1, 3, 1, 0}); }

struct Complexes {
  __host__ __device__ void operator()(Numbers& out) const {
    using Z = cs::complex<double>;
    Z a(1, 2), b(3, -4);
    const Z product = a * b, quotient = a / b;
    out[0] = product.real();
    out[1] = product.imag();
    out[2] = quotient.real();
    out[3] = quotient.imag();
    a += b;
    a *= 2.0;
    out[4] = a.real() + a.imag();
    out[5] = cs::abs(b) + cs::norm(b) + cs::conj(b).imag();
    const Z turned = cs::exp(Z(0, cs::numbers::pi / 2)) * Z(0, -2);
    out[6] = turned.real();
    const Z root = cs::sqrt(Z(-3, 4));
    out[7] = root.real() * 10 + root.imag();
    cs::complex<float> single(1.5f, 2.5f);
    single = 2.0f * single - 1.0f;
    out[8] = single.real() + single.imag() + sizeof(single);
    out[9] = cs::arg(Z(-1, 0)) + cs::real(Z(3, 4));
    out[10] = (Z(1, 2) == Z(1, 2)) + 2 * (Z(3, 0) == 3.0) + 4 * (a != b);
    const Z p = cs::polar(2.0, 0.0);
    out[11] = p.real() + p.imag();
    const double infinity = cs::numeric_limits<double>::infinity();
    const Z large = Z(infinity, infinity) * Z(1, 1);
    out[12] = cs::isinf(large.real()) || cs::isinf(large.imag());
    const Z cube = cs::pow(Z(0, 1), 2.0);
    out[13] = cube.real();
    out[14] = (Z(1e300, 1e300) / Z(1e300, 1e300)).real();
  }
};
TEST(CudaStd, ComplexNumbers) {
  expect(Complexes(), {11, 2, -0.2, 0.4, 4, 34, 2, 12, 15, cs::numbers::pi + 3, 7, 2, 1, -1, 1});
}

// Only the order of operations avoids overflow and underflow.
struct ComplexNumbersAtTheEnds {
  __host__ __device__ void operator()(Numbers& out) const {
    using Z = cs::complex<double>;
    const double least = cs::numeric_limits<double>::denorm_min(), root_of_least = 2.2227587494850775e-162;
    out[0] = cs::sqrt(Z(least, 0)).real() / root_of_least;
    out[1] = cs::sqrt(Z(least, 0)).imag();
    const Z turned = cs::sqrt(Z(0, least));
    out[2] = turned.real() / root_of_least;
    out[3] = turned.imag() / root_of_least;
    out[4] = cs::sqrt(Z(-least, -0.0)).imag() / root_of_least;
    out[5] = cs::sqrt(Z(1e308, 1e308)).real();
    out[6] = cs::sqrt(cs::complex<float>(cs::numeric_limits<float>::denorm_min(), 0)).real();
    out[7] = cs::isinf(cs::pow(Z(0, 0), Z(-1, 0)).real());
    out[8] = cs::abs(cs::pow(Z(0, 0), Z(2, 0)));
  }
};
TEST(CudaStd, ComplexNumbersAtTheEnds) {
  expect(ComplexNumbersAtTheEnds(), {1, 0, cs::numbers::sqrt2 / 2, cs::numbers::sqrt2 / 2, -1, 1.0986841134678098e154,
                                     std::sqrt(std::numeric_limits<float>::denorm_min()), 1, 0});
}

struct Bits {
  __host__ __device__ void operator()(Numbers& out) const {
    out[0] = cs::popcount(0xf0f0u) + cs::popcount(~0ull);
    out[1] = cs::countl_zero(1u) + cs::countr_zero(static_cast<unsigned char>(8)) +
             cs::countl_zero(static_cast<unsigned short>(0));
    out[2] = cs::bit_ceil(17u) + cs::bit_floor(17u) + cs::bit_width(17u);
    out[3] = cs::has_single_bit(64u) + 2 * cs::has_single_bit(65u);
    out[4] = cs::rotl(static_cast<unsigned char>(0x81), 1) + cs::rotr(1u, 1) * 1.0;
    out[5] = cs::bit_cast<unsigned>(1.0f);
    out[6] = cs::countl_one(0xff000000u) + cs::countr_one(7ull);
    out[7] = cs::endian::native == cs::endian::little;
  }
};
TEST(CudaStd, Bits) { expect(Bits(), {72, 50, 53, 1, 2147483651.0, 1065353216, 11, 1}); }

struct Thing {
  int value;
  __host__ __device__ int plus(int other) const { return value + other; }
};
struct FunctionObjects {
  template <class Op>
  __host__ __device__ static int fold(Op op, int start) {
    for (int i = 1; i <= 4; ++i) start = op(start, i);
    return start;
  }
  __host__ __device__ void operator()(Numbers& out) const {
    out[0] = fold(cs::plus<int>(), 0);
    out[1] = fold(cs::multiplies<>(), 1) + cs::max(out[0], 11.0) - cs::min(11.0, 12.0);
    out[2] =
        cs::less<>()(1, 2) + 2 * cs::greater<int>()(1, 2) + 4 * cs::equal_to<>()(3, 3) + 8 * cs::logical_not<>()(true);
    Thing thing{5};
    out[3] = cs::invoke(&Thing::value, thing) + cs::invoke(&Thing::plus, &thing, 10);
    out[4] = cs::invoke([](int x) { return x * x; }, 7) + cs::identity()(1);
    int target = 1;
    auto reference = cs::ref(target);
    reference.get() = 9;
    out[5] = target + cs::bit_xor<>()(5, 1);
    cs::aligned_storage_t<sizeof(Thing), 16> room;
    out[6] = cs::not_fn(cs::less<>())(1, 2) + (alignof(decltype(room)) != 16) + (sizeof room < sizeof(Thing));
    const int values[] = {1, 2, 3, 4};
    int sums[4];
    cs::partial_sum(values, values + 4, sums);
    out[7] = sums[3] + cs::inner_product(values, values + 4, values, 0) + cs::reduce(values, values + 4, 100);
    cs::iota(sums, sums + 4, 5);
    out[8] = sums[0] * 10 + sums[3] + cs::gcd(12, 18) + cs::lcm(4, 6);
    cs::exclusive_scan(values, values + 4, sums, 0);
    out[9] = sums[0] * 100 + sums[1] * 10 + sums[3];
    out[11] = cs::transform_reduce(values, values + 4, 1, cs::plus<>(), [](int x) { return x * x; }) +
              cs::transform_reduce(values, values + 4, values, 100) +
              cs::transform_reduce(values, values + 4, values, 1000, cs::plus<>(), cs::minus<>());
    out[10] = *cs::next(values) + cs::distance(values, values + 3) + *cs::prev(cs::end(values)) + cs::size(values);
  }
};
TEST(CudaStd, FunctionObjectsAndSums) { expect(FunctionObjects(), {10, 24, 5, 20, 50, 13, 0, 150, 76, 16, 13, 1161}); }

struct Constants {
  __host__ __device__ void operator()(Numbers& out) const {
    out[0] = cs::numeric_limits<int>::max();
    out[1] = cs::numeric_limits<float>::epsilon();
    out[2] = cs::sqrt(2.0) + cs::fabs(-1.0f) + cs::abs(-3) + cs::pow(2.0, 10.0) + cs::floor(1.5f);
    out[3] = cs::isnan(cs::numeric_limits<double>::quiet_NaN()) + 2 * cs::isinf(1.0f) + 4 * cs::signbit(-0.0);
    out[4] = cs::is_same_v<cs::remove_cvref_t<const int&>, int> + cs::is_floating_point_v<float> +
             cs::is_same_v<cs::conditional_t<true, int, float>, int> + cs::is_trivially_copyable_v<cs::array<int, 2>>;
    out[5] = sizeof(cs::uint8_t) + sizeof(cs::int64_t) + sizeof(cs::size_t) + sizeof(cs::byte);
    out[6] = sizeof(cs::ptrdiff_t);
    out[7] = cs::numbers::pi_v<float> > 3.14f;
    out[8] = INT_MAX - 1 + (FLT_MAX > 1e38f);
    out[9] = static_cast<double>(cs::chrono::duration_cast<cs::chrono::milliseconds>(cs::chrono::seconds(3)).count());
    const auto start = cs::chrono::high_resolution_clock::now();
    out[10] = cs::chrono::high_resolution_clock::now() >= start;
    char text[4];
    cs::memset(text, 1, 4);
    out[11] = text[3];
    out[12] = cs::ratio<2, 4>::den;
    assert(text[0] == 1);
  }
};
TEST(CudaStd, ConstantsTraitsAndMaths) {
  expect(Constants(), {2147483647, 1.1920928955078125e-07, 1.4142135623730951 + 1 + 3 + 1024 + 1, 5, 4, 18, 8, 1,
                       2147483647, 3000, 1, 1, 2});
}

// As arguments of a kernel, and in its shared memory.
__global__ void take(cs::tuple<int, float> t, cs::array<int, 3> a, cs::complex<float> z, cs::span<float> out,
                     cs::optional<int> o) {
  __shared__ cs::array<float, 32> all;
  all[threadIdx.x] = cs::get<0>(t) + cs::get<1>(t) + a[threadIdx.x % 3] + z.imag() + o.value_or(0);
  __syncthreads();
  out[threadIdx.x] = all[31 - threadIdx.x];
}
TEST(CudaStd, ArgumentsOfKernels) {
  DeviceArray<float> out(32);
  take<<<1, 32>>>({1, 0.5f}, {10, 20, 30}, {0, 100}, cs::span<float>(out.get(), 32), 1000);
  const auto host = out.host();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(host[i], 1101.5f + 10 + 10 * ((31 - i) % 3));
}

TEST(CudaStd, AccessToAMissingValueIsAnError) {
  EXPECT_THROW((void)cs::optional<int>().value(), cs::bad_optional_access);
  cs::array<int, 2> two{};
  EXPECT_THROW((void)two.at(2), std::out_of_range);
}

struct ViewsOfSeveralIndices {
  __host__ __device__ void operator()(Numbers& out) const {
    int values[24];
    cs::iota(values, values + 24, 0);
    cs::mdspan<int, cs::dextents<int, 2>> rows(values, 4, 6);
    out[0] = rows(2, 3) + rows.extent(0) * 100 + rows.extent(1) * 1000;
    cs::mdspan<int, cs::extents<int, 4, cs::dynamic_extent>, cs::layout_left> columns(values, 6);
    out[1] = columns(2, 3) + columns.stride(1) * 100 + columns.rank_dynamic() * 1000;
    cs::mdspan deduced(values, 2, 3, 4);
    deduced(1, 2, 3) = 100;
    out[2] = values[23] + deduced.rank();
    cs::mdspan<const int, cs::dextents<int, 2>> fixed = rows;
    out[3] = fixed(3, 5) + static_cast<double>(fixed.size());
    using Strided = cs::layout_stride::mapping<cs::dextents<int, 2>>;
    cs::mdspan<int, cs::dextents<int, 2>, cs::layout_stride> every_second(
        values, Strided(cs::dextents<int, 2>(3, 3), cs::array<int, 2>{6, 2}));
    out[4] = every_second(1, 2) + every_second.mapping().required_span_size() * 100;
    out[5] = rows[cs::array<int, 2>{1, 1}] + cs::mdspan(values, 24)[5];
    out[6] = sizeof(cs::extents<int, 3, 4>::index_type) + cs::extents<int, 3, 4>::static_extent(1);
    // A static extent converts to a dynamic one implicitly; the reverse needs an explicit conversion.
    cs::mdspan<int, cs::extents<int, 4, 6>> known(values);
    cs::mdspan<const int, cs::dextents<int, 2>> forgotten = known;
    cs::mdspan<int, cs::extents<int, 4, 6>> again(rows);
    out[7] = forgotten(1, 1) + forgotten.extent(1) * 10 + again(1, 2) * 100;
    static_assert(!cs::is_convertible_v<cs::dextents<int, 2>, cs::extents<int, 4, 6>> &&
                      !cs::is_constructible_v<cs::extents<int, 4, 6>, cs::extents<int, 4, 5>>,
                  "extents that differ are no conversion");
    cs::mdspan<int, cs::dextents<int, 2>> of_array(values, cs::array<int, 2>{3, 8});
    cs::mdspan<int, cs::dextents<int, 2>, cs::layout_stride> strided = of_array;
    out[8] = of_array(1, 1) + strided(2, 1) + cs::mdspan(values, cs::array<int, 3>{2, 3, 4}).rank();
    out[9] = strided.mapping().strides()[0] * 10 + strided.mapping().strides()[1];
    out[10] =
        rows.is_exhaustive() + 2 * strided.is_exhaustive() + 4 * every_second.is_exhaustive() + 8 * rows.is_unique();
    out[11] = (rows.mapping() == known.mapping()) + 2 * (rows.mapping() != of_array.mapping()) +
              4 * (strided.mapping() == of_array.mapping()) + 8 * (rows.extents() != known.extents());
  }
};
TEST(CudaStd, ViewsOfSeveralIndices) {
  expect(ViewsOfSeveralIndices(), {6415, 1414, 103, 124, 1710, 12, 8, 867, 29, 81, 11, 7});
}

#ifdef __clang__
// nvcc accepts std::complex in host code only.
struct StandardComplexes {
  __host__ __device__ void operator()(Numbers& out) const {
    std::complex<double> a(1, 2), b(3, -4);
    const std::complex<double> product = a * b;
    a /= b;
    std::complex<float> c(1, 2), d(3, -4);
    c *= d;
    d = std::complex<float>(1, 2) / d;
    out = {product.real(), product.imag(), a.real(), a.imag(), c.real(), c.imag(), d.real(), std::abs(b)};
    out[8] = std::exp(std::complex<double>(0, cs::numbers::pi)).real();
    out[9] = std::sqrt(std::complex<double>(-3, 4)).imag();
    const double infinity = std::numeric_limits<double>::infinity();
    out[10] = std::isinf((std::complex<double>(infinity, infinity) * std::complex<double>(1, 1)).imag());
  }
};
TEST(CudaStd, ComplexNumbersOfTheHostsLibrary) {
  expect(StandardComplexes(), {11, 2, -0.2, 0.4, 11, 2, -0.2f, 5, -1, 2, 1});
}
#endif

}  // namespace

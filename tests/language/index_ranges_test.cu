// Bounds checks, strided loops and index arithmetic of many shapes, which a compiler may turn into loop bounds. The
// same function runs for every thread on the device, and sequentially on the host.
#include <climits>
#include <type_traits>

#include "device_array.h"

namespace {

struct At {
  int block, thread, threads, blocks;
  __host__ __device__ int index() const { return block * threads + thread; }
  __host__ __device__ int all() const { return threads * blocks; }
};

#define BODY(name) \
  struct name {    \
    __host__ __device__ static void run(const At& at, int* o, int n)

BODY(UpTo) {
  const int i = at.index();
  if (i < n) o[i] += i;
}
};
BODY(ReturnsEarly) {
  const int i = at.index();
  if (i >= n) return;
  o[i] += 2 * i;
}
}
;
BODY(Between) {
  const int i = at.index();
  if (i > 3 && i <= n - 2)
    o[i] += i;
  else
    o[i] -= 1;
}
}
;
BODY(Unsigned) {
  const unsigned i = unsigned(at.index());
  if (i < unsigned(n)) o[i] += int(i);
}
}
;
BODY(UnsignedBelowZero) {
  const unsigned i = unsigned(at.index()) - 5;
  if (i < unsigned(n)) o[i] += int(i);
}
}
;
BODY(GridStride) {
  for (int i = at.index(); i < n; i += at.all()) o[i] += i * 3;
}
}
;
BODY(GridStrideUnsigned) {
  for (unsigned i = unsigned(at.index()); i < unsigned(n); i += unsigned(at.all())) o[i] += int(i * 3);
}
}
;
BODY(Backwards) {
  for (int i = n - 1 - at.index(); i >= 0; i -= at.all()) o[i] += i;
}
}
;
BODY(UntilEnough) {
  int sum = 0;
  for (int i = at.thread; i < n; i += at.threads) {
    sum += o[i & 255];
    if (sum > 1000) break;
  }
  o[1024 + at.index()] = sum;
}
}
;
BODY(Columns) {
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += o[(k * 7 + at.thread) & 255] * k;
  o[1024 + at.index()] = sum;
}
}
;
BODY(Lanes) {
  int sum = 0;
  for (int k = at.thread & 31; k < n; k += 32) sum += o[k & 1023] * k;
  o[1024 + at.index()] = sum;
}
}
;
BODY(SingleThreads) {
  const int t = at.thread, mine = 1024 + at.index();
  if (t == n) o[mine] = 77;
  if (t != n) o[mine] += 1;
  if (t == 0) o[mine] += 5;
  if (t == at.threads - 1) o[mine] += 6;
}
}
;
BODY(Triangle) {
  for (int k = 0; k < at.thread % 7; ++k)
    for (int j = k; j < n; j += 3) o[1024 + at.index()] += j ^ k;
}
}
;
BODY(SeveralConditions) {
  const int t = at.thread, mine = 1024 + at.index();
  if (t * 2 < n) o[mine] += 1;
  if (t + 1 < n && t > 0) o[mine] += 2;
  if (n - t > 4) o[mine] += 3;
  if (t < n || t == 50) o[mine] += 4;
  if (!(t >= n)) o[mine] += 5;
}
}
;
BODY(DataDecides) {
  const int i = at.index();
  if (i < n) {
    if (o[i] & 1) return;
    o[i] += 10;
  }
  if (i < n / 2) o[i + 2048] += 1;
}
}
;
BODY(FourEach) {
  const int i = at.index() * 4;
  for (int j = 0; j < 4; ++j)
    if (i + j < n) o[i + j] += j;
}
}
;
BODY(LoopInStride) {
  for (int i = at.index(); i < n; i += at.all()) {
    int sum = 0;
    for (int k = 0; k < 5; ++k) sum += o[(i + k) & 1023] >> k;
    o[4096 + i] = sum;
  }
}
}
;
BODY(GuardedLoops) {
  const int t = at.thread;
  int sum = t;
  if (t + 2 < n) {
    sum += o[t];
    for (int k = 0; k < n; ++k) sum += o[k + t] * k;
    sum ^= t;
  }
  if (t < n && at.block < 2)
    for (int k = t + at.threads; k < n; k += at.threads) sum += o[k];
  if (n - 3 <= t)
    for (int k = 0; k < 20; ++k) sum = sum * 3 + o[k * 16 + t];
  o[4096 + at.index()] = sum;
}
}
;
BODY(GuardedNest) {
  int sum = 0;
  for (int i = at.index(); i < n; i += at.all())
    for (int k = 0; k < 9; ++k) sum += o[i + k] ^ k;
  o[4096 + at.index()] = sum;
}
}
;
// If no thread reaches the loop, its length is meaningless: 100 - n wraps around. Threads that reach it need not be
// the first ones.
BODY(GuardedByRange) {
  const unsigned t = unsigned(at.thread), low = 100, high = n < 0 ? 0u : unsigned(n);
  int sum = 0;
  if (low + t < high && low < high)
    for (unsigned k = 0; k < high - low; ++k) sum += o[k + t];
  if (t - 16u < high)
    for (unsigned k = 0; k < high; ++k) sum -= o[k + t];
  o[4096 + at.index()] = sum;
}
}
;
BODY(While) {
  int i = at.index();
  while (i < n) {
    o[i] = o[i] * 3 + 1;
    i += at.all();
  }
  o[4096 + at.index()] = i;
}
}
;
BODY(PointerStride) {
  int sum = 0;
  for (const int* p = o + at.thread; p < o + n; p += at.threads) sum += *p;
  o[4096 + at.index()] = sum;
}
}
;
// Steps in words of other sizes, from other offsets, up to the middle of a word.
BODY(PointersAlong) {
  short* y = reinterpret_cast<short*>(o + 2048) + at.thread + at.block * at.threads;
  const int* end = reinterpret_cast<const int*>(reinterpret_cast<const char*>(o + n) + 2);
  for (const int* x = o + at.index(); x < end; x += at.all(), y += at.all()) *y = static_cast<short>(*x + 1);
}
}
;
BODY(PointerKept) {
  int* p = o + at.index();
  for (; p < o + n; p += at.all()) *p += 5;
  o[4096 + at.index()] = int(p - o);
}
}
;
BODY(Halo) {
  int sum = 0;
  for (int i = at.thread - 3; i < n; i += at.threads)
    if (i >= 0) sum += o[i];
  o[4096 + at.index()] = sum;
}
}
;
BODY(ConstantHalo) {
  int sum = n;
  for (int i = at.thread - 3; i < 35; i += 32) sum += i < 0 ? 1 : o[i];
  o[4096 + at.index()] = sum;
}
}
;
BODY(WrapsAround) {
  const int i = int(unsigned(at.index()) + INT_MAX - 100u);
  if (i < n && i > 0) o[1024 + at.index()] = 99;
  if (i < 0) o[1024 + at.index()] += 1;
}
}
;
BODY(Bytes) {
  const int i = at.index();
  unsigned char* bytes = reinterpret_cast<unsigned char*>(o);
  if (i < n) bytes[i] = static_cast<unsigned char>(bytes[i] * 3 + i);
}
}
;
BODY(Wide) {
  const long long i = (long long)at.block * at.threads + at.thread;
  if (i < n) reinterpret_cast<long long*>(o)[i] = i * i;
}
}
;

template <class Body>
__global__ void each(int* o, int n) {
  Body::run(At{int(blockIdx.x), int(threadIdx.x), int(blockDim.x), int(gridDim.x)}, o, n);
}

template <class Body>
void check() {
  std::vector<int> start(8192);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = int(unsigned(i) * 2654435761u >> 20);
  const int shapes[][2] = {{1, 1}, {1, 33}, {3, 32}, {4, 256}, {7, 100}, {300, 3}};
  for (int n : {-3, 0, 1, 5, 31, 100, 255, 777, 1000})
    for (const auto& [blocks, threads] : shapes) {
      const bool as_unsigned =
          n < 0 && (std::is_same<Body, Unsigned>::value || std::is_same<Body, UnsignedBelowZero>::value ||
                    std::is_same<Body, GridStrideUnsigned>::value);
      if (as_unsigned) continue;  // four billion
      DeviceArray<int> device(start);
      each<Body><<<blocks, threads>>>(device, n);
      std::vector<int> expected = start;
      for (int block = 0; block < blocks; ++block)
        for (int thread = 0; thread < threads; ++thread)
          Body::run(At{block, thread, threads, blocks}, expected.data(), n);
      ASSERT_EQ(device.host(), expected) << "n " << n << ", " << blocks << " blocks of " << threads;
    }
}

TEST(IndexRanges, UpTo) { check<UpTo>(); }
TEST(IndexRanges, ReturnsEarly) { check<ReturnsEarly>(); }
TEST(IndexRanges, Between) { check<Between>(); }
TEST(IndexRanges, Unsigned) { check<Unsigned>(); }
TEST(IndexRanges, UnsignedBelowZero) { check<UnsignedBelowZero>(); }
TEST(IndexRanges, GridStride) { check<GridStride>(); }
TEST(IndexRanges, GridStrideUnsigned) { check<GridStrideUnsigned>(); }
TEST(IndexRanges, Backwards) { check<Backwards>(); }
TEST(IndexRanges, UntilEnough) { check<UntilEnough>(); }
TEST(IndexRanges, Columns) { check<Columns>(); }
TEST(IndexRanges, Lanes) { check<Lanes>(); }
TEST(IndexRanges, SingleThreads) { check<SingleThreads>(); }
TEST(IndexRanges, Triangle) { check<Triangle>(); }
TEST(IndexRanges, SeveralConditions) { check<SeveralConditions>(); }
TEST(IndexRanges, DataDecides) { check<DataDecides>(); }
TEST(IndexRanges, FourEach) { check<FourEach>(); }
TEST(IndexRanges, LoopInStride) { check<LoopInStride>(); }
TEST(IndexRanges, GuardedLoops) { check<GuardedLoops>(); }
TEST(IndexRanges, GuardedNest) { check<GuardedNest>(); }
TEST(IndexRanges, GuardedByRange) { check<GuardedByRange>(); }
TEST(IndexRanges, While) { check<While>(); }
TEST(IndexRanges, PointerStride) { check<PointerStride>(); }
TEST(IndexRanges, PointersAlong) { check<PointersAlong>(); }
TEST(IndexRanges, PointerKept) { check<PointerKept>(); }
TEST(IndexRanges, Halo) { check<Halo>(); }
TEST(IndexRanges, ConstantHalo) { check<ConstantHalo>(); }
TEST(IndexRanges, WrapsAround) { check<WrapsAround>(); }
TEST(IndexRanges, Bytes) { check<Bytes>(); }
TEST(IndexRanges, Wide) { check<Wide>(); }

}  // namespace

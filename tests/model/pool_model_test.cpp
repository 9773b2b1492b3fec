// Random programs on pools: many threads, each with its own streams, allocate from shared pools, write, pass memory
// between streams by events, check its contents in stream order, and free it. The model is a list of allocations:
// they do not overlap, and data stays until it is freed.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "long_tests.h"

namespace {

using Random = std::mt19937_64;

size_t pick(Random& random, size_t below) { return std::uniform_int_distribution<size_t>(0, below - 1)(random); }

// Allocations by address.
class LiveRanges {
 public:
  bool add(const void* address, size_t bytes) {
    const auto start = reinterpret_cast<uintptr_t>(address);
    std::lock_guard lock(mutex_);
    const auto after = ends_.upper_bound(start);
    if (after != ends_.end() && after->second < start + bytes) return false;
    return ends_.emplace(start + bytes, start).second;
  }
  void remove(const void* address, size_t bytes) {
    std::lock_guard lock(mutex_);
    ends_.erase(reinterpret_cast<uintptr_t>(address) + bytes);
  }

 private:
  std::mutex mutex_;
  std::map<uintptr_t, uintptr_t> ends_;  // end -> start
};

struct Block {
  unsigned char* address;
  size_t bytes;
  unsigned char value;
  size_t stream;
};

struct Check {
  Block block;
  std::atomic<int>* wrong;

  static void run(void* data) {
    auto* check = static_cast<Check*>(data);
    for (size_t i = 0; i < check->block.bytes; ++i) {
      if (check->block.address[i] != check->block.value) {
        ++*check->wrong;
        break;
      }
    }
    delete check;
  }
};

struct Shared {
  std::vector<cudaMemPool_t> pools;
  LiveRanges live;
  std::atomic<int> wrong{0}, overlaps{0}, failures{0};

  void must(cudaError_t status) { failures += status != cudaSuccess; }
};

class Program {
 public:
  Program(Shared& shared, uint64_t seed) : shared_(shared), random_(seed), streams_(3) {
    for (cudaStream_t& stream : streams_) {
      shared_.must(cudaStreamCreateWithFlags(&stream, pick(random_, 2) ? cudaStreamNonBlocking : cudaStreamDefault));
    }
    shared_.must(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  ~Program() {
    while (!blocks_.empty()) free_one();
    for (cudaStream_t stream : streams_) {
      shared_.must(cudaStreamSynchronize(stream));
      shared_.must(cudaStreamDestroy(stream));
    }
    shared_.must(cudaEventDestroy(event_));
  }

  void step() {
    switch (pick(random_, 16)) {
      default:
        return blocks_.size() < 24 ? allocate() : free_one();
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
        return blocks_.empty() ? allocate() : free_one();
      case 10:
      case 11:
        return blocks_.empty() ? allocate() : move();
      case 12:
        return shared_.must(cudaStreamSynchronize(streams_[pick(random_, streams_.size())]));
      case 13:
        return shared_.must(cudaMemPoolTrimTo(any_pool(), pick(random_, 3) << 25));
      case 14:
        return set_policies();
      case 15:
        return delay();
    }
  }

 private:
  cudaMemPool_t any_pool() { return shared_.pools[pick(random_, shared_.pools.size())]; }

  void allocate() {
    static constexpr size_t sizes[] = {1, 100, 512, 700, 4096, 10000, 65536, 1 << 20, 3 << 20};
    Block block{};
    block.bytes = sizes[pick(random_, std::size(sizes))];
    block.value = static_cast<unsigned char>(pick(random_, 256));
    block.stream = pick(random_, streams_.size());
    const cudaStream_t stream = streams_[block.stream];
    void* address = nullptr;
    shared_.must(cudaMallocFromPoolAsync(&address, block.bytes, any_pool(), stream));
    if (!address) return;
    block.address = static_cast<unsigned char*>(address);
    shared_.overlaps += !shared_.live.add(address, block.bytes);
    shared_.must(cudaMemsetAsync(address, block.value, block.bytes, stream));
    blocks_.push_back(block);
  }

  void check(const Block& block) {
    shared_.must(cudaLaunchHostFunc(streams_[block.stream], &Check::run, new Check{block, &shared_.wrong}));
  }

  // Another stream continues to use it.
  void move() {
    Block& block = blocks_[pick(random_, blocks_.size())];
    check(block);
    shared_.must(cudaEventRecord(event_, streams_[block.stream]));
    block.stream = pick(random_, streams_.size());
    shared_.must(cudaStreamWaitEvent(streams_[block.stream], event_, 0));
  }

  void free_one() {
    std::swap(blocks_[pick(random_, blocks_.size())], blocks_.back());
    const Block block = blocks_.back();
    blocks_.pop_back();
    check(block);
    shared_.live.remove(block.address, block.bytes);  // before the call: others may get it at once
    shared_.must(pick(random_, 20) == 0 ? cudaFree(block.address)
                                        : cudaFreeAsync(block.address, streams_[block.stream]));
  }

  void set_policies() {
    static constexpr cudaMemPoolAttr flags[] = {cudaMemPoolReuseFollowEventDependencies,
                                                cudaMemPoolReuseAllowOpportunistic,
                                                cudaMemPoolReuseAllowInternalDependencies};
    int value = static_cast<int>(pick(random_, 2));
    shared_.must(cudaMemPoolSetAttribute(any_pool(), flags[pick(random_, std::size(flags))], &value));
    uint64_t threshold = pick(random_, 4) << 25;
    shared_.must(cudaMemPoolSetAttribute(any_pool(), cudaMemPoolAttrReleaseThreshold, &threshold));
  }

  void delay() {
    const auto wait = [](void*) { std::this_thread::sleep_for(std::chrono::microseconds(50)); };
    shared_.must(cudaLaunchHostFunc(streams_[pick(random_, streams_.size())], wait, nullptr));
  }

  Shared& shared_;
  Random random_;
  std::vector<cudaStream_t> streams_;
  cudaEvent_t event_ = nullptr;
  std::vector<Block> blocks_;
};

cudaMemPool_t pool_that_keeps_its_memory() {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  EXPECT_EQ(cudaSuccess, cudaMemPoolCreate(&pool, &props));
  uint64_t keep = ~uint64_t{0};
  EXPECT_EQ(cudaSuccess, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  return pool;
}

uint64_t value_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 0;
  EXPECT_EQ(cudaSuccess, cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

TEST(PoolModel, RandomProgramsKeepTheirData) {
  const int rounds = repetitions(4, 30, 100);
  const int steps = 400, threads = 3;
  for (int round = 0; round < rounds; ++round) {
    const auto seed = static_cast<uint64_t>(testing::UnitTest::GetInstance()->random_seed() * 1000 + round);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Shared shared;
    for (bool with_file : {false, true}) {
      cudaMemPoolProps props{};
      props.allocType = cudaMemAllocationTypePinned;
      props.handleTypes = with_file ? cudaMemHandleTypePosixFileDescriptor : cudaMemHandleTypeNone;
      props.location = {cudaMemLocationTypeDevice, 0};
      ASSERT_EQ(cudaSuccess, cudaMemPoolCreate(&shared.pools.emplace_back(), &props));
    }
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
      running.emplace_back([&, i] {
        Program program(shared, seed * 16 + static_cast<uint64_t>(i));
        for (int step = 0; step < steps; ++step) program.step();
      });
    }
    for (std::thread& thread : running) thread.join();
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    EXPECT_EQ(0, shared.wrong) << "memory changed while somebody had it";
    EXPECT_EQ(0, shared.overlaps) << "two had the same memory";
    EXPECT_EQ(0, shared.failures);
    for (cudaMemPool_t pool : shared.pools) {
      EXPECT_EQ(0u, value_of(pool, cudaMemPoolAttrUsedMemCurrent));
      EXPECT_EQ(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
      EXPECT_EQ(0u, value_of(pool, cudaMemPoolAttrReservedMemCurrent));
      EXPECT_EQ(cudaSuccess, cudaMemPoolDestroy(pool));
    }
  }
}

// Memory that another stream has freed and no longer uses: reused if and only if the pool allows it, whatever its
// size.
TEST(PoolModel, OpportunisticReuseCanBeSwitchedOff) {
  for (int allowed : {1, 0}) {
    cudaMemPool_t pool = pool_that_keeps_its_memory();
    ASSERT_EQ(cudaSuccess, cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &allowed));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams)
      ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    void *first = nullptr, *second = nullptr;
    ASSERT_EQ(cudaSuccess, cudaMallocFromPoolAsync(&first, 32 << 20, pool, streams[0]));
    ASSERT_EQ(cudaSuccess, cudaMemsetAsync(first, 1, 4096, streams[0]));
    ASSERT_EQ(cudaSuccess, cudaFreeAsync(first, streams[0]));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(streams[0]));
    ASSERT_EQ(cudaSuccess, cudaMallocFromPoolAsync(&second, 30 << 20, pool, streams[1]));
    EXPECT_EQ(allowed == 1, first == second);
    EXPECT_EQ(allowed ? 32u << 20 : 64u << 20, value_of(pool, cudaMemPoolAttrReservedMemCurrent));
    ASSERT_EQ(cudaSuccess, cudaFreeAsync(second, streams[1]));
    for (cudaStream_t stream : streams) {
      ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
      ASSERT_EQ(cudaSuccess, cudaStreamDestroy(stream));
    }
    ASSERT_EQ(cudaSuccess, cudaMemPoolDestroy(pool));
  }
}

// One stream that frees its allocations needs little more than the live memory, including partly used pages.
TEST(PoolModel, OneStreamNeedsLittleMoreThanIsLive) {
  const int rounds = repetitions(5, 20, 50);
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    Random random(static_cast<uint64_t>(testing::UnitTest::GetInstance()->random_seed() + round));
    cudaMemPool_t pool = pool_that_keeps_its_memory();
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<void*> live;
    for (int step = 0; step < 2000; ++step) {
      if (live.size() < 40 || (live.size() < 80 && pick(random, 2))) {
        ASSERT_EQ(cudaSuccess,
                  cudaMallocFromPoolAsync(&live.emplace_back(), 512 + pick(random, 16 << 20), pool, stream));
      } else {
        std::swap(live[pick(random, live.size())], live.back());
        ASSERT_EQ(cudaSuccess, cudaFreeAsync(live.back(), stream));
        live.pop_back();
      }
    }
    const auto high = static_cast<double>(value_of(pool, cudaMemPoolAttrUsedMemHigh));
    sum += static_cast<double>(value_of(pool, cudaMemPoolAttrReservedMemHigh)) / high;
    for (void* address : live) ASSERT_EQ(cudaSuccess, cudaFreeAsync(address, stream));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    ASSERT_EQ(cudaSuccess, cudaStreamDestroy(stream));
    ASSERT_EQ(cudaSuccess, cudaMemPoolDestroy(pool));
  }
  RecordProperty("reserved_by_live", std::to_string(sum / rounds));
  std::printf("reserved / live at most, on average: %.3f\n", sum / rounds);
  EXPECT_LT(sum / rounds, 1.25);
}

}  // namespace

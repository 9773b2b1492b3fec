// Host memory in captured copies: kept alive by the graph, or rejected.
#include <gtest/gtest.h>
#include <reprise/control_flow.h>
#include <reprise/cuda_graph.h>
#include <reprise/host_buffer.h>
#include <reprise/ops.h>

#include <algorithm>
#include <memory>

#include "error_of.h"
#include "kernels/tensor/factories.h"

namespace reprise {
namespace {

using Values = std::vector<float>;

Values values(const Tensor& x) { return x.to_vector<float>(); }

TEST(GraphHostMemoryTest, BuffersAreKeptAndReadByEachReplay) {
  Tensor x = kernels::zeros({3});
  CUDAGraph graph;
  HostBuffer<float> result(3);
  float* source;
  {
    HostBuffer<float> batch(Values{1, 2, 3});
    source = batch.data();
    graph.capture([&] {
      copy_from_host(x, batch);
      copy_to_host(result, x * 2);
    });
  }
  for (int i = 0; i < 5; ++i) {
    source[0] = float(i);
    graph.replay();
    StreamRef().synchronize();
    EXPECT_EQ(Values(result.begin(), result.end()), Values({2.0f * i, 4, 6}));
  }
  EXPECT_TRUE(says(error_of([&] { copy_from_host(x, HostBuffer<float>(4)); }), "buffer of 4"));
}

TEST(GraphHostMemoryTest, PageableMemoryIsRejected) {
  Tensor x = kernels::zeros({3});
  Values plain = {1, 2, 3};
  CUDAGraph graph;
  auto work = [&] {
    check_cuda(cudaMemcpyAsync(x.data(), plain.data(), 12, cudaMemcpyHostToDevice, current_stream()), "copy");
  };
  std::string text = error_of([&] { graph.capture(work); });
  EXPECT_TRUE(says(text, "HostBuffer") && says(text, "12 bytes")) << text;
  EXPECT_FALSE(graph.is_captured());
  EXPECT_FALSE(is_current_stream_capturing());
  graph.capture([&] {
    work();
    if (is_current_stream_capturing()) promise_host_memory(plain.data(), 12);
  });
  plain[1] = 7;
  graph.replay();
  EXPECT_EQ(values(x), Values({1, 7, 3}));
  EXPECT_TRUE(says(error_of([&] {
                     graph.reset();
                     graph.capture_begin();
                     kernels::from_vector(plain);
                   }),
                   "capturing"));
  graph.capture_abort();
}

TEST(GraphHostMemoryTest, PageLockedMemoryIsKeptWithItsOwnerOrRejected) {
  Tensor x = kernels::zeros({3});
  Values registered = {1, 2, 3};
  check_cuda(cudaHostRegister(registered.data(), 12, cudaHostRegisterDefault), "register");
  void* memory = nullptr;
  check_cuda(cudaMallocHost(&memory, 12), "allocate");
  bool freed = false;
  std::shared_ptr<float> own(static_cast<float*>(memory), [&](float* data) {
    freed = true;
    cudaFreeHost(data);
  });
  auto copy_from = [&](const void* data) {
    check_cuda(cudaMemcpyAsync(x.data(), data, 12, cudaMemcpyHostToDevice, current_stream()), "copy");
  };
  CUDAGraph graph;
  for (const float* data : {static_cast<const float*>(registered.data()), static_cast<const float*>(own.get())}) {
    const std::string text = error_of([&] { graph.capture([&] { copy_from(data); }); });
    EXPECT_TRUE(says(text, "page-locked host memory") && says(text, "keep_host_memory") && says(text, "12 bytes"))
        << text;
    EXPECT_FALSE(graph.is_captured());
  }
  float* data = own.get();
  graph.capture([&] {
    copy_from(data);
    keep_host_memory(own, 12);
  });
  own.reset();
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(freed);
    std::fill(data, data + 3, float(i));
    graph.replay();
    EXPECT_EQ(values(x), Values(3, float(i)));
  }
  graph.reset();
  StreamRef().synchronize();
  EXPECT_TRUE(freed);
  graph.capture([&] {
    copy_from(registered.data());
    promise_host_memory(registered.data(), 12);
  });
  graph.replay();
  EXPECT_EQ(values(x), registered);
  graph.reset();
  // A promise must cover the whole range of the copy.
  EXPECT_TRUE(says(error_of([&] {
                     graph.capture([&] {
                       copy_from(registered.data());
                       promise_host_memory(registered.data(), 8);
                     });
                   }),
                   "page-locked host memory"));
  check_cuda(cudaHostUnregister(registered.data()), "unregister");
}

TEST(GraphHostMemoryTest, BuffersAreKeptForUserCopiesOfEveryType) {
  Tensor x = kernels::zeros({4}, DType::boolean), y = kernels::zeros({4}, DType::i64);
  CUDAGraph graph;
  bool* flags;
  std::int64_t* whole;
  std::weak_ptr<bool> of_first;
  std::weak_ptr<std::int64_t> of_second;
  {
    HostBuffer<bool> first(std::vector<bool>{true, false, false, true});
    HostBuffer<std::int64_t> second(std::vector<std::int64_t>{1, 2, 3, 4});
    flags = first.data();
    whole = second.data();
    of_first = first.shared();
    of_second = second.shared();
    graph.capture([&] {
      copy_from_host(x, first);
      // Bypasses the library, which finds the copy in the graph.
      check_cuda(cudaMemcpyAsync(y.data(), second.data() + 1, 24, cudaMemcpyHostToDevice, current_stream()), "copy");
    });
  }
  ASSERT_FALSE(of_first.expired() || of_second.expired());
  flags[1] = true;
  whole[1] = 20;
  graph.replay();
  EXPECT_EQ(x.to_vector<bool>(), std::vector<bool>({true, true, false, true}));
  EXPECT_EQ(y.to_vector<std::int64_t>(), std::vector<std::int64_t>({20, 3, 4, 0}));
  graph.reset();
  EXPECT_TRUE(of_first.expired() && of_second.expired());
}

TEST(GraphHostMemoryTest, CopiesInBranchesAndLoopsAreChecked) {
  Tensor x = kernels::zeros({3}), flag = kernels::ones({1});
  // Pageable memory does not work there on a GPU.
  Values locked = {1, 2, 3};
  check_cuda(cudaHostRegister(locked.data(), 12, cudaHostRegisterDefault), "register");
  auto copy_from = [&](const float* data) {
    check_cuda(cudaMemcpyAsync(x.data(), data, 12, cudaMemcpyHostToDevice, current_stream()), "copy");
    return Tensors{x * 2};
  };
  CUDAGraph graph;
  CaptureOptions once;
  once.warm_up = 0;
  Tensor result;
  auto branch = [&](auto then) { result = cond(flag, then, [&] { return Tensors{x + 1}; })[0]; };
  std::string text = error_of([&] { graph.capture([&] { branch([&] { return copy_from(locked.data()); }); }, once); });
  EXPECT_TRUE(says(text, "page-locked host memory")) << text;
  text = error_of([&] {
    graph.capture(
        [&] {
          while_loop([](const Tensors& in) { return in[0] < 1; },
                     [&](const Tensors& in) {
                       branch([&] { return copy_from(locked.data()); });
                       return Tensors{in[0] + 1};
                     },
                     {kernels::zeros({1})});
        },
        once);
  });
  EXPECT_TRUE(says(text, "page-locked host memory")) << text;
  EXPECT_FALSE(graph.is_captured());
  float* source;
  {
    HostBuffer<float> kept(locked);
    source = kept.data();
    graph.capture([&] { branch([&] { return copy_from(kept.data()); }); }, once);
  }
  source[0] = 5;
  graph.replay();
  EXPECT_EQ(values(result), Values({10, 4, 6}));
  check_cuda(cudaHostUnregister(locked.data()), "unregister");
}

}  // namespace
}  // namespace reprise

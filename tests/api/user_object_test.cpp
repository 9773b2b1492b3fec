#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <climits>
#include <string>
#include <thread>
#include <vector>

namespace {

// Destructors run on a thread of the runtime.
struct Watched {
  std::atomic<int> destroyed{0};
  std::atomic<cudaError_t> call_inside{cudaSuccess};

  static void destroy(void* object) {
    auto* watched = static_cast<Watched*>(object);
    void* memory = nullptr;
    watched->call_inside = cudaMalloc(&memory, 16);
    watched->destroyed.fetch_add(1);  // the last touch: the test may end now
  }
  void wait() {
    while (destroyed == 0) std::this_thread::yield();
  }
};

class UserObjects : public testing::Test {
 protected:
  cudaUserObject_t make(unsigned references) {
    cudaUserObject_t object = nullptr;
    EXPECT_EQ(cudaUserObjectCreate(&object, &watched, Watched::destroy, references, cudaUserObjectNoDestructorSync),
              cudaSuccess);
    return object;
  }
  Watched watched;
};

TEST_F(UserObjects, AreDestroyedWithTheirLastReference) {
  cudaUserObject_t object = make(2);
  EXPECT_EQ(cudaUserObjectRetain(object, 3), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(object, 4), cudaSuccess);
  EXPECT_EQ(watched.destroyed, 0);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaSuccess);
  watched.wait();
  EXPECT_EQ(watched.destroyed, 1);
  EXPECT_EQ(watched.call_inside, cudaErrorNotPermitted);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectRetain(object, 1), cudaErrorInvalidValue);
}

TEST_F(UserObjects, WrongArgumentsChangeNothing) {
  cudaUserObject_t object = nullptr;
  const unsigned flag = cudaUserObjectNoDestructorSync;
  EXPECT_EQ(cudaUserObjectCreate(nullptr, &watched, Watched::destroy, 1, flag), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectCreate(&object, &watched, nullptr, 1, flag), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectCreate(&object, &watched, Watched::destroy, 0, flag), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectCreate(&object, &watched, Watched::destroy, 1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(object, nullptr);
  object = make(1);
  EXPECT_EQ(cudaUserObjectRetain(object, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectRetain(object, unsigned{INT_MAX} + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectRelease(object, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaUserObjectRetain(nullptr, 1), cudaErrorInvalidValue);
  EXPECT_EQ(watched.destroyed, 0);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaSuccess);
  watched.wait();
}

std::string messages_after(cudaLogIterator position) {
  char text[4096] = {};
  size_t size = sizeof text;
  EXPECT_EQ(cudaLogsDumpToMemory(&position, text, &size, 0), cudaSuccess);
  return text;
}

TEST_F(UserObjects, AWarningNamesTheCallThatReleasesMoreReferencesThanExist) {
  cudaLogIterator position;
  ASSERT_EQ(cudaLogsCurrent(&position, 0), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(make(2), 5), cudaSuccess);
  EXPECT_NE(messages_after(position).find("cudaUserObjectRelease dropped 5 references of a user object that had 2"),
            std::string::npos)
      << messages_after(position);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphReleaseUserObject(graph, make(1), 3), cudaSuccess);
  EXPECT_NE(
      messages_after(position).find("cudaGraphReleaseUserObject dropped 3 references of a user object that had 1"),
      std::string::npos)
      << messages_after(position);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(watched.destroyed, 0);
}

TEST_F(UserObjects, ThreadsCountTogether) {
  cudaUserObject_t object = make(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(cudaUserObjectRetain(object, 2), cudaSuccess);
        ASSERT_EQ(cudaUserObjectRelease(object, 2), cudaSuccess);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(watched.destroyed, 0);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaSuccess);
  watched.wait();
  EXPECT_EQ(watched.destroyed, 1);
}

}  // namespace

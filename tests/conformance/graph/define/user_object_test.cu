// User objects: reference counts of an object of the caller, destroyed with the last reference.
#include "support.h"

using UserObject = Runtime;

static void CUDART_CB count_up(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

TEST_F(UserObject, IsDestroyedByTheLastRelease) {
  std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  ASK(cudaSuccess, cudaUserObjectCreate(&object, &destroyed, count_up, 1, cudaUserObjectNoDestructorSync));
  ASK(cudaSuccess, cudaUserObjectRetain(object));
  ASK(cudaSuccess, cudaUserObjectRelease(object));
  ASK_VALUE(0, destroyed.load());
  ASK(cudaSuccess, cudaUserObjectRelease(object));
  EXPECT_TRUE(eventually([&] { return destroyed == 1; }));
}

TEST_F(UserObject, CountsSeveralReferencesAtOnce) {
  std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(&object, &destroyed, count_up, 3, cudaUserObjectNoDestructorSync));
  ASK(cudaSuccess, cudaUserObjectRetain(object, 4));
  ASK(cudaSuccess, cudaUserObjectRelease(object, 6));
  ASK_VALUE(0, destroyed.load());
  ASK(cudaSuccess, cudaUserObjectRelease(object, 1));
  EXPECT_TRUE(eventually([&] { return destroyed == 1; }));
}

TEST_F(UserObject, WrongArguments) {
  std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  const unsigned no_sync = cudaUserObjectNoDestructorSync;
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(nullptr, &destroyed, count_up, 1, no_sync));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&object, &destroyed, nullptr, 1, no_sync));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&object, &destroyed, count_up, 0, no_sync));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&object, &destroyed, count_up, 1, 0));
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(&object, &destroyed, count_up, 1, 2));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(nullptr));
  ASK(cudaErrorInvalidValue, cudaUserObjectRelease(nullptr));
  ASK_VALUE(0, destroyed.load());
}

// Counts of retain and release are limited to INT_MAX.
TEST_F(UserObject, StartsWithAnyNumberOfReferences) {
  static std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  ASK(cudaSuccess, cudaUserObjectCreate(&object, &destroyed, count_up, 0x80000000u, cudaUserObjectNoDestructorSync));
  ASK(cudaSuccess, cudaUserObjectRelease(object));
  ASK_VALUE(0, destroyed.load());
}

TEST_F(UserObject, WrongCounts) {
  std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(&object, &destroyed, count_up, 1, cudaUserObjectNoDestructorSync));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(object, 0));
  ASK(cudaErrorInvalidValue, cudaUserObjectRelease(object, 0));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(object, 0x80000000u));
  ASK_VALUE(0, destroyed.load());
  ASK(cudaSuccess, cudaUserObjectRelease(object));
  EXPECT_TRUE(eventually([&] { return destroyed == 1; }));
}

TEST_F(UserObject, TakesANullPointer) {
  cudaUserObject_t object = nullptr;
  ASK(cudaSuccess, cudaUserObjectCreate(&object, nullptr, [](void*) {}, 1, cudaUserObjectNoDestructorSync));
  ASK(cudaSuccess, cudaUserObjectRelease(object));
}

TEST_F(UserObject, CallsOfCudaInTheDestructor) {
  static std::atomic<int> answer{-1};
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(
      &object, nullptr,
      [](void*) {
        int device;
        answer = cudaGetDevice(&device);
      },
      1, cudaUserObjectNoDestructorSync));
  MUST(cudaUserObjectRelease(object));
  EXPECT_TRUE(eventually([&] { return answer != -1; }));
  ASK(cudaErrorNotPermitted, static_cast<cudaError_t>(answer.load()));
}

// The count passes zero, and the destructor is never called.
TEST_F(UserObject, IsNotDestroyedByAReleaseOfMoreReferencesThanExist) {
  static std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(&object, &destroyed, count_up, 2, cudaUserObjectNoDestructorSync));
  ASK(cudaSuccess, cudaUserObjectRelease(object, 5));
  MUST(cudaDeviceSynchronize());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASK_VALUE(0, destroyed.load());
}

using HazardUserObject = Runtime;

TEST_F(HazardUserObject, UsedAfterAReleaseOfMoreReferencesThanExist) {
  UNDEFINED_ON_NVIDIA("use of an object with a count below zero");
  static std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(&object, &destroyed, count_up, 1, cudaUserObjectNoDestructorSync));
  MUST(cudaUserObjectRelease(object, 2));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(object));
  ASK(cudaErrorInvalidValue, cudaUserObjectRelease(object));
}

TEST_F(HazardUserObject, UsedAfterItsLastRelease) {
  UNDEFINED_ON_NVIDIA("use of a destroyed object");
  std::atomic<int> destroyed{0};
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(&object, &destroyed, count_up, 1, cudaUserObjectNoDestructorSync));
  MUST(cudaUserObjectRelease(object));
  ASK(cudaErrorInvalidValue, cudaUserObjectRetain(object));
  EXPECT_TRUE(eventually([&] { return destroyed == 1; }));  // the destructor counts in this function's memory
}

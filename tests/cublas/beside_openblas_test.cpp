// A program that uses both OpenBLAS and cuBLAS.
#include <cblas.h>
#include <cublas_v2.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

extern "C" void openblas_set_num_threads(int count);
extern "C" int openblas_get_num_threads();
extern "C" char* openblas_get_corename();

namespace {

constexpr int size = 192, threads = 3;
using Matrix = std::vector<float>;

// Of ones: each element of the product is `size`.
Matrix product() {
  const Matrix a(size * size, 1), b(size * size, 1);
  Matrix c(size * size, 0);
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a.data(), size, b.data(), size, 0,
              c.data(), size);
  return c;
}

TEST(BesideOpenBlas, LoadingCublasLeavesTheProgramsOpenBlasAlone) {
  openblas_set_num_threads(threads);
  const std::string core = openblas_get_corename();
  const Matrix right(size * size, size);
  std::atomic<bool> over{false};
  std::atomic<int> done{0}, wrong{0};
  std::thread user([&] {
    while (!over) {
      wrong += product() != right;
      ++done;
    }
  });
  const auto further = [&] {
    for (const int before = done; done < before + 3;) std::this_thread::yield();
  };
  further();
  void* library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  further();
  over = true;
  user.join();
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(openblas_get_num_threads(), threads);
  EXPECT_EQ(openblas_get_corename(), core);

  // Neither affects the other.
  auto create = reinterpret_cast<decltype(&cublasCreate_v2)>(dlsym(library, "cublasCreate_v2"));
  auto multiply = reinterpret_cast<decltype(&cublasSgemm_v2)>(dlsym(library, "cublasSgemm_v2"));
  auto wait = reinterpret_cast<decltype(&cudaDeviceSynchronize)>(dlsym(library, "cudaDeviceSynchronize"));
  ASSERT_TRUE(create && multiply && wait);
  EXPECT_EQ(dlsym(library, "cblas_sgemm"), nullptr);
  cublasHandle_t handle;
  ASSERT_EQ(create(&handle), CUBLAS_STATUS_SUCCESS);
  Matrix a(size * size, 1), c(size * size, 0);
  const float one = 1, zero = 0;
  ASSERT_EQ(multiply(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, a.data(), size, a.data(), size, &zero,
                     c.data(), size),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(wait(), cudaSuccess);
  EXPECT_EQ(c, right);
  EXPECT_EQ(openblas_get_num_threads(), threads);
}

}  // namespace

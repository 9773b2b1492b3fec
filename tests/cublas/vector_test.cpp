#include <cmath>

#include "support.h"

namespace {

using Vectors = Cublas;

TEST_F(Vectors, AMatrixTimesAVectorEqualsTheReference) {
  for (int round = 0; round < 40; ++round) {
    const int m = number(1, round < 30 ? 60 : 900), n = number(1, round < 30 ? 60 : 900), lda = m + number(0, 3);
    const bool transposed = number(0, 1);
    const int incx = number(0, 1) ? number(1, 3) : -number(1, 2), incy = number(0, 1) ? number(1, 3) : -number(1, 2);
    const int inputs = transposed ? m : n, outputs = transposed ? n : m;
    const auto a = values(lda * n), x = values(inputs * std::abs(incx)), y = values(outputs * std::abs(incy));
    const float alpha = number(-2, 2), beta = number(-1, 1);
    auto at = [](int i, int count, int increment) { return increment > 0 ? i * increment : (i - count + 1) * increment; };
    auto expected = y;
    for (int i = 0; i < outputs; ++i) {
      double sum = 0;
      for (int j = 0; j < inputs; ++j) sum += double(transposed ? a[j + i * lda] : a[i + j * lda]) * x[at(j, inputs, incx)];
      float& place = expected[at(i, outputs, incy)];
      place = static_cast<float>(alpha * sum + beta * place);
    }
    const DeviceArray<float> da(a), dx(x), dy(y);
    ASSERT_EQ(cublasSgemv(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, &alpha, da.data(), lda, dx.data(), incx,
                          &beta, dy.data(), incy),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(dy.values(), expected) << m << "x" << n << " incx " << incx << " incy " << incy;
  }
}

TEST_F(Vectors, ScalingAndAddingEqualTheReference) {
  for (int n : {1, 5, 1000, 40000}) {
    for (auto [incx, incy] : {std::pair{1, 1}, {2, 3}, {-1, 2}, {2, -1}}) {
      const auto x = values(n * std::abs(incx)), y = values(n * std::abs(incy));
      auto expected = y;
      for (int i = 0; i < n; ++i)
        expected[incy > 0 ? i * incy : (i - n + 1) * incy] += 3 * x[incx > 0 ? i * incx : (i - n + 1) * incx];
      const DeviceArray<float> dx(x), dy(y);
      const float three = 3;
      ASSERT_EQ(cublasSaxpy(handle, n, &three, dx.data(), incx, dy.data(), incy), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(dy.values(), expected) << n << " incx " << incx << " incy " << incy;
    }
    const auto x = values(n * 2);
    auto expected = x;
    for (int i = 0; i < n; ++i) expected[i * 2] *= 3;
    const DeviceArray<float> dx(x), three({3});
    ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSscal(handle, n, three.data(), dx.data(), 2), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(dx.values(), expected);
  }
}

TEST_F(Vectors, SumsComeToHostAndToDeviceMemory) {
  const int n = 1000;
  const auto x = values(n), y = values(n);
  double dot = 0, squares = 0, magnitudes = 0;
  for (int i = 0; i < n; ++i) dot += x[i] * y[i], squares += x[i] * x[i], magnitudes += std::abs(x[i]);
  const DeviceArray<float> dx(x), dy(y), results({0, 0, 0});
  float on_host[3] = {-1, -1, -1};
  auto call = [&](float* result) {
    ASSERT_EQ(cublasSdot(handle, n, dx.data(), 1, dy.data(), 1, result), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSnrm2(handle, n, dx.data(), 1, result + 1), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSasum(handle, n, dx.data(), 1, result + 2), CUBLAS_STATUS_SUCCESS);
  };
  auto check = [&](const float* result) {
    EXPECT_EQ(result[0], dot);
    EXPECT_NEAR(result[1], std::sqrt(squares), 1e-4);
    EXPECT_EQ(result[2], magnitudes);
  };
  call(on_host);
  check(on_host);
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  call(results.data());
  check(results.values().data());
}

}  // namespace

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
    auto at = [](int i, int count, int increment) {
      return increment > 0 ? i * increment : (i - count + 1) * increment;
    };
    auto expected = y;
    for (int i = 0; i < outputs; ++i) {
      double sum = 0;
      for (int j = 0; j < inputs; ++j)
        sum += double(transposed ? a[j + i * lda] : a[i + j * lda]) * x[at(j, inputs, incx)];
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

TEST_F(Vectors, CopiesSwapsAndIndicesOfExtremaEqualTheReference) {
  const int n = 40000;
  const auto x = values(n * 2), y = values(n * 3);
  const DeviceArray<float> dx(x), dy(y);
  ASSERT_EQ(cublasSswap(handle, n, dx.data(), 2, dy.data(), 3), CUBLAS_STATUS_SUCCESS);
  const auto new_x = dx.values(), new_y = dy.values();
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(new_x[i * 2], y[i * 3]) << i;
    ASSERT_EQ(new_y[i * 3], x[i * 2]) << i;
    ASSERT_EQ(new_x[i * 2 + 1], x[i * 2 + 1]) << i;
  }
  ASSERT_EQ(cublasScopy(handle, n, dx.data(), 2, dy.data(), -3), CUBLAS_STATUS_SUCCESS);
  const auto copied = dy.values();
  for (int i = 0; i < n; ++i) ASSERT_EQ(copied[(n - 1 - i) * 3], new_x[i * 2]) << i;

  const DeviceArray<float> few({1, -7, 3, 7, -0.5f, 0.5f});
  int place = -1;
  ASSERT_EQ(cublasIsamax(handle, 6, few.data(), 1, &place), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(place, 2);
  ASSERT_EQ(cublasIsamin(handle, 6, few.data(), 1, &place), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(place, 5);
  ASSERT_EQ(cublasIsamax(handle, 3, few.data(), 2, &place), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(place, 2);
  ASSERT_EQ(cublasIsamax(handle, 0, few.data(), 1, &place), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(place, 0);
}

TEST_F(Vectors, OuterProductsAndSumsOfMatricesEqualTheReference) {
  for (int round = 0; round < 12; ++round) {
    const int m = number(1, 90), n = number(1, 700), lda = m + number(0, 3), incy = number(0, 1) ? 2 : -1;
    const auto a = values(lda * n), x = values(m), y = values(n * 2);
    auto expected = a;
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        expected[row + column * lda] += 3 * x[row] * y[incy > 0 ? column * 2 : n - 1 - column];
    const DeviceArray<float> da(a), dx(x), dy(y);
    const float three = 3, zero = 0;
    ASSERT_EQ(cublasSger(handle, m, n, &three, dx.data(), 1, dy.data(), incy, da.data(), lda), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(da.values(), expected) << m << "x" << n << " incy " << incy;

    const bool ta = number(0, 1), tb = number(0, 1);
    const int left = (ta ? n : m) + 1, right = tb ? n : m;
    const auto b = values(left * (ta ? m : n)), c = values(right * (tb ? m : n));
    std::vector<float> sum(m * n), turned(m * n);
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        turned[row + column * m] = 3 * b[ta ? column + row * left : row + column * left];
        sum[row + column * m] = turned[row + column * m] + 3 * c[tb ? column + row * right : row + column * right];
      }
    const DeviceArray<float> db(b), dc(c), result(std::vector<float>(m * n));
    const auto op_a = ta ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = tb ? CUBLAS_OP_T : CUBLAS_OP_N;
    ASSERT_EQ(
        cublasSgeam(handle, op_a, op_b, m, n, &three, db.data(), left, &three, dc.data(), right, result.data(), m),
        CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(result.values(), sum) << m << "x" << n;
    ASSERT_EQ(cublasSgeam(handle, op_a, op_b, m, n, &three, db.data(), left, &zero, dc.data(), right, result.data(), m),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(result.values(), turned) << m << "x" << n << ", turned alone";
  }
}

TEST_F(Vectors, GoToTheDeviceAndBack) {
  const auto x = values(20);
  const DeviceArray<float> there(std::vector<float>(20, -1));
  ASSERT_EQ(cublasSetVector(5, sizeof(float), x.data(), 2, there.data(), 3), CUBLAS_STATUS_SUCCESS);
  std::vector<float> back(5);
  ASSERT_EQ(cublasGetVector(5, sizeof(float), there.data(), 3, back.data(), 1), CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(back[i], x[i * 2]) << i;
  // 3 x 4 of a matrix with five rows into one with four.
  ASSERT_EQ(cublasSetMatrixAsync(3, 4, sizeof(float), x.data(), 5, there.data(), 4, stream), CUBLAS_STATUS_SUCCESS);
  std::vector<float> matrix(12);
  ASSERT_EQ(cublasGetMatrixAsync(3, 4, sizeof(float), there.data(), 4, matrix.data(), 3, stream),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      EXPECT_EQ(matrix[row + column * 3], x[row + column * 5]) << row << " " << column;
  EXPECT_EQ(cublasSetVector(5, sizeof(float), x.data(), 0, there.data(), 1), CUBLAS_STATUS_INVALID_VALUE);
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

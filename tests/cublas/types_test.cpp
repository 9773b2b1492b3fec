// The same operations on numbers of all types, against plain loops.
#include <cmath>
#include <complex>
#include <type_traits>

#include "support.h"

namespace {

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

template <class T>
struct CudaType {
  using type = T;
};
template <>
struct CudaType<Complex> {
  using type = cuComplex;
};
template <>
struct CudaType<DoubleComplex> {
  using type = cuDoubleComplex;
};
template <class T>
using Cuda = typename CudaType<T>::type;

template <class T>
inline constexpr bool is_complex = !std::is_floating_point_v<T>;
template <class T>
using Real = decltype(std::abs(T()));

template <class T>
Cuda<T>* cuda(T* from) {
  return reinterpret_cast<Cuda<T>*>(from);
}
template <class T>
const Cuda<T>* cuda(const T* from) {
  return reinterpret_cast<const Cuda<T>*>(from);
}

template <class T>
T conjugate(T value) {
  if constexpr (is_complex<T>) return std::conj(value);
  return value;
}

// The call of a name for the type: S, D, C or Z.
#define OF_TYPE(T, name)                                                                \
  [&](auto... arguments) {                                                              \
    if constexpr (std::is_same_v<T, float>) return cublasS##name(arguments...);         \
    if constexpr (std::is_same_v<T, double>) return cublasD##name(arguments...);        \
    if constexpr (std::is_same_v<T, Complex>) return cublasC##name(arguments...);       \
    if constexpr (std::is_same_v<T, DoubleComplex>) return cublasZ##name(arguments...); \
  }

template <class T>
class Numbers : public Cublas {
 protected:
  // Multiples of one half, whose sums and products are exact.
  T some() {
    if constexpr (is_complex<T>) return T(number(-4, 4) * 0.5f, number(-4, 4) * 0.5f);
    return static_cast<T>(number(-4, 4) * 0.5f);
  }
  std::vector<T> several(std::size_t count) {
    std::vector<T> made(count);
    for (T& value : made) value = some();
    return made;
  }
  // Element (row, column) of op(matrix).
  static T element(const std::vector<T>& matrix, int leading, cublasOperation_t operation, int row, int column) {
    const auto at = [&](int r, int c) { return matrix[static_cast<std::size_t>(r + c * leading)]; };
    if (operation == CUBLAS_OP_N) return at(row, column);
    return operation == CUBLAS_OP_T ? at(column, row) : conjugate(at(column, row));
  }
  cublasOperation_t some_operation() { return static_cast<cublasOperation_t>(number(0, 2)); }

  void expect_near(const std::vector<T>& expected, const std::vector<T>& actual) {
    ASSERT_EQ(expected.size(), actual.size());
    const double tolerance = std::is_same_v<Real<T>, float> ? 2e-3 : 1e-9;
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(0, std::abs(expected[i] - actual[i]), tolerance * (1 + std::abs(expected[i]))) << i;
  }
};

using Types = testing::Types<float, double, Complex, DoubleComplex>;
TYPED_TEST_SUITE(Numbers, Types);

TYPED_TEST(Numbers, AreScaledAddedCopiedAndSwapped) {
  using T = TypeParam;
  const int n = 20000;
  const auto x = this->several(2 * n), y = this->several(3 * n);
  const T alpha = this->some();
  auto expected = y;
  for (int i = 0; i < n; ++i) expected[3 * i] = alpha * x[2 * i] + y[3 * i];
  const DeviceArray<T> dx(x), dy(y);
  ASSERT_EQ(OF_TYPE(T, axpy)(this->handle, n, cuda(&alpha), cuda(dx.data()), 2, cuda(dy.data()), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(expected, dy.values());
  for (int i = 0; i < n; ++i) expected[3 * i] *= alpha;
  ASSERT_EQ(OF_TYPE(T, scal)(this->handle, n, cuda(&alpha), cuda(dy.data()), 3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(expected, dy.values());
  ASSERT_EQ(OF_TYPE(T, swap)(this->handle, n, cuda(dx.data()), 2, cuda(dy.data()), 3), CUBLAS_STATUS_SUCCESS);
  auto swapped = x;
  for (int i = 0; i < n; ++i) std::swap(swapped[2 * i], expected[3 * i]);
  EXPECT_EQ(swapped, dx.values());
  EXPECT_EQ(expected, dy.values());
  ASSERT_EQ(OF_TYPE(T, copy)(this->handle, n, cuda(dx.data()), 2, cuda(dy.data()), -3), CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < n; ++i) expected[3 * (n - 1 - i)] = swapped[2 * i];
  EXPECT_EQ(expected, dy.values());
}

TYPED_TEST(Numbers, AreSummedUp) {
  using T = TypeParam;
  const int n = 1000;
  const auto x = this->several(n), y = this->several(2 * n);
  T plain = 0, conjugated = 0;
  Real<T> squares = 0, magnitudes = 0;
  for (int i = 0; i < n; ++i) {
    plain += x[i] * y[2 * i];
    conjugated += conjugate(x[i]) * y[2 * i];
    squares += std::norm(x[i]);
    magnitudes += std::abs(std::real(x[i])) + std::abs(std::imag(x[i]));
  }
  const DeviceArray<T> dx(x), dy(y);
  T result = 0;
  Real<T> norm = 0, sum = 0;
  if constexpr (is_complex<T>) {
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
              (std::is_same_v<T, Complex>
                   ? cublasCdotu(this->handle, n, reinterpret_cast<cuComplex*>(dx.data()), 1,
                                 reinterpret_cast<cuComplex*>(dy.data()), 2, reinterpret_cast<cuComplex*>(&result))
                   : cublasZdotu(this->handle, n, reinterpret_cast<cuDoubleComplex*>(dx.data()), 1,
                                 reinterpret_cast<cuDoubleComplex*>(dy.data()), 2,
                                 reinterpret_cast<cuDoubleComplex*>(&result))));
    EXPECT_EQ(plain, result);
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
              (std::is_same_v<T, Complex>
                   ? cublasCdotc(this->handle, n, reinterpret_cast<cuComplex*>(dx.data()), 1,
                                 reinterpret_cast<cuComplex*>(dy.data()), 2, reinterpret_cast<cuComplex*>(&result))
                   : cublasZdotc(this->handle, n, reinterpret_cast<cuDoubleComplex*>(dx.data()), 1,
                                 reinterpret_cast<cuDoubleComplex*>(dy.data()), 2,
                                 reinterpret_cast<cuDoubleComplex*>(&result))));
    EXPECT_EQ(conjugated, result);
    if constexpr (std::is_same_v<T, Complex>) {
      ASSERT_EQ(cublasScnrm2(this->handle, n, cuda(dx.data()), 1, &norm), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(cublasScasum(this->handle, n, cuda(dx.data()), 1, &sum), CUBLAS_STATUS_SUCCESS);
    } else {
      ASSERT_EQ(cublasDznrm2(this->handle, n, cuda(dx.data()), 1, &norm), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(cublasDzasum(this->handle, n, cuda(dx.data()), 1, &sum), CUBLAS_STATUS_SUCCESS);
    }
  } else if constexpr (std::is_same_v<T, float>) {
    ASSERT_EQ(cublasSdot(this->handle, n, dx.data(), 1, dy.data(), 2, &result), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSnrm2(this->handle, n, dx.data(), 1, &norm), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasSasum(this->handle, n, dx.data(), 1, &sum), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(plain, result);
  } else {
    ASSERT_EQ(cublasDdot(this->handle, n, dx.data(), 1, dy.data(), 2, &result), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasDnrm2(this->handle, n, dx.data(), 1, &norm), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasDasum(this->handle, n, dx.data(), 1, &sum), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(plain, result);
  }
  EXPECT_NEAR(norm, std::sqrt(squares), 1e-3);
  EXPECT_EQ(magnitudes, sum);
}

TYPED_TEST(Numbers, OfAMatrixMultiplyAVector) {
  using T = TypeParam;
  for (int round = 0; round < 20; ++round) {
    const int m = this->number(1, 90), n = this->number(1, 90), lda = m + 2;
    const cublasOperation_t operation = this->some_operation();
    const int results = operation == CUBLAS_OP_N ? m : n, terms = operation == CUBLAS_OP_N ? n : m;
    const auto a = this->several(lda * n), x = this->several(terms), y = this->several(2 * results);
    const T alpha = this->some(), beta = this->some();
    auto expected = y;
    for (int i = 0; i < results; ++i) {
      T sum = 0;
      for (int j = 0; j < terms; ++j) sum += this->element(a, lda, operation, i, j) * x[j];
      expected[2 * i] = alpha * sum + beta * y[2 * i];
    }
    const DeviceArray<T> da(a), dx(x), dy(y);
    ASSERT_EQ(OF_TYPE(T, gemv)(this->handle, operation, m, n, cuda(&alpha), cuda(da.data()), lda, cuda(dx.data()), 1,
                               cuda(&beta), cuda(dy.data()), 2),
              CUBLAS_STATUS_SUCCESS);
    this->expect_near(expected, dy.values());
  }
}

TYPED_TEST(Numbers, OfMatricesAreAdded) {
  using T = TypeParam;
  for (int round = 0; round < 10; ++round) {
    const int m = this->number(1, 60), n = this->number(1, 60), lead = 61;
    const cublasOperation_t ta = this->some_operation(), tb = this->some_operation();
    const auto a = this->several(lead * 61), b = this->several(lead * 61);
    const T alpha = this->some(), beta = this->some();
    std::vector<T> expected(m * n);
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        expected[row + column * m] =
            alpha * this->element(a, lead, ta, row, column) + beta * this->element(b, lead, tb, row, column);
    const DeviceArray<T> da(a), db(b), dc(std::vector<T>(m * n));
    ASSERT_EQ(OF_TYPE(T, geam)(this->handle, ta, tb, m, n, cuda(&alpha), cuda(da.data()), lead, cuda(&beta),
                               cuda(db.data()), lead, cuda(dc.data()), m),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(expected, dc.values());
  }
}

// One product, then a batch by strides and by arrays.
TYPED_TEST(Numbers, OfMatricesAreMultiplied) {
  using T = TypeParam;
  for (int round = 0; round < 10; ++round) {
    const int m = this->number(1, 40), n = this->number(1, 40), k = this->number(1, 40), batch = this->number(1, 5);
    const cublasOperation_t ta = this->some_operation(), tb = this->some_operation();
    const int lead = 41, stride = lead * 41, c_stride = m * n + 3;
    const auto a = this->several(stride * batch), b = this->several(stride * batch),
               c = this->several(c_stride * batch);
    const T alpha = this->some(), beta = this->some();
    auto expected = c;
    for (int i = 0; i < batch; ++i) {
      const std::vector<T> ai(a.begin() + i * stride, a.end()), bi(b.begin() + i * stride, b.end());
      for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
          T sum = 0;
          for (int t = 0; t < k; ++t)
            sum += this->element(ai, lead, ta, row, t) * this->element(bi, lead, tb, t, column);
          T& to = expected[i * c_stride + row + column * m];
          to = alpha * sum + beta * to;
        }
    }
    const DeviceArray<T> da(a), db(b), by_stride(c), by_array(c), single(c);
    ASSERT_EQ(OF_TYPE(T, gemmStridedBatched)(this->handle, ta, tb, m, n, k, cuda(&alpha), cuda(da.data()), lead, stride,
                                             cuda(db.data()), lead, stride, cuda(&beta), cuda(by_stride.data()), m,
                                             c_stride, batch),
              CUBLAS_STATUS_SUCCESS);
    this->expect_near(expected, by_stride.values());
    std::vector<const Cuda<T>*> pa, pb;
    std::vector<Cuda<T>*> pc;
    for (int i = 0; i < batch; ++i) {
      pa.push_back(cuda(da.data()) + i * stride);
      pb.push_back(cuda(db.data()) + i * stride);
      pc.push_back(cuda(by_array.data()) + i * c_stride);
    }
    const DeviceArray<const Cuda<T>*> dpa(pa), dpb(pb);
    const DeviceArray<Cuda<T>*> dpc(pc);
    ASSERT_EQ(OF_TYPE(T, gemmBatched)(this->handle, ta, tb, m, n, k, cuda(&alpha), dpa.data(), lead, dpb.data(), lead,
                                      cuda(&beta), dpc.data(), m, batch),
              CUBLAS_STATUS_SUCCESS);
    this->expect_near(expected, by_array.values());
    ASSERT_EQ(OF_TYPE(T, gemm)(this->handle, ta, tb, m, n, k, cuda(&alpha), cuda(da.data()), lead, cuda(db.data()),
                               lead, cuda(&beta), cuda(single.data()), m),
              CUBLAS_STATUS_SUCCESS);
    auto first = c;
    std::copy(expected.begin(), expected.begin() + m * n, first.begin());
    this->expect_near(first, single.values());
  }
}

// The solution, multiplied by the triangular matrix again, is alpha B.
TYPED_TEST(Numbers, OfATriangularSystemAreFound) {
  using T = TypeParam;
  for (int round = 0; round < 24; ++round) {
    const int m = this->number(1, 40), n = this->number(1, 60);
    const auto side = static_cast<cublasSideMode_t>(round % 2);
    const auto uplo = static_cast<cublasFillMode_t>(round / 2 % 2);
    const auto diag = static_cast<cublasDiagType_t>(round / 4 % 2);
    const cublasOperation_t operation = this->some_operation();
    const int order = side == CUBLAS_SIDE_LEFT ? m : n, lda = order + 1, ldb = m + 2;
    auto a = this->several(lda * order);
    for (T& value : a) value /= static_cast<Real<T>>(order);
    for (int i = 0; i < order; ++i) a[i + i * lda] = static_cast<T>(2);
    const auto b = this->several(ldb * n);
    const T alpha = this->some() + T(3);
    const DeviceArray<T> da(a), db(b);
    ASSERT_EQ(OF_TYPE(T, trsm)(this->handle, side, uplo, operation, diag, m, n, cuda(&alpha), cuda(da.data()), lda,
                               cuda(db.data()), ldb),
              CUBLAS_STATUS_SUCCESS);
    // The triangle alone, with its diagonal.
    std::vector<T> triangle(order * order);
    for (int row = 0; row < order; ++row)
      for (int column = 0; column < order; ++column) {
        const bool inside = uplo == CUBLAS_FILL_MODE_LOWER ? row > column : row < column;
        triangle[row + column * order] = row == column ? (diag == CUBLAS_DIAG_UNIT ? T(1) : a[row + column * lda])
                                         : inside      ? a[row + column * lda]
                                                       : T(0);
      }
    const auto x = db.values();
    auto expected = b, actual = b;
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        T sum = 0;
        for (int t = 0; t < order; ++t)
          sum += side == CUBLAS_SIDE_LEFT ? this->element(triangle, order, operation, row, t) * x[t + column * ldb]
                                          : x[row + t * ldb] * this->element(triangle, order, operation, t, column);
        actual[row + column * ldb] = sum;
        expected[row + column * ldb] = alpha * b[row + column * ldb];
      }
    this->expect_near(expected, actual);
  }
}

// Factors with and without pivots, then solutions and inverses by them.
TYPED_TEST(Numbers, OfDenseSystemsAreFoundInBatches) {
  using T = TypeParam;
  for (const bool pivoting : {true, false}) {
    const int n = 13, columns = 3, batch = 4, lda = n + 1, stride = lda * n, b_stride = n * columns;
    auto a = this->several(stride * batch);
    for (int i = 0; i < batch; ++i)
      for (int d = 0; d < n; ++d) a[i * stride + d + d * lda] += T(20);
    const auto b = this->several(b_stride * batch);
    const DeviceArray<T> da(a), db(b), dc(std::vector<T>(stride * batch));
    std::vector<Cuda<T>*> pa, pb, pc;
    for (int i = 0; i < batch; ++i) {
      pa.push_back(cuda(da.data()) + i * stride);
      pb.push_back(cuda(db.data()) + i * b_stride);
      pc.push_back(cuda(dc.data()) + i * stride);
    }
    const DeviceArray<Cuda<T>*> dpa(pa), dpb(pb), dpc(pc);
    const auto* const factors = const_cast<const Cuda<T>* const*>(dpa.data());
    const DeviceArray<int> pivots(std::vector<int>(n * batch)), info(std::vector<int>(batch, -1));
    int* const given_pivots = pivoting ? pivots.data() : nullptr;
    ASSERT_EQ(OF_TYPE(T, getrfBatched)(this->handle, n, dpa.data(), lda, given_pivots, info.data(), batch),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(std::vector<int>(batch, 0), info.values());
    const cublasOperation_t operation = this->some_operation();
    int host_info = -1;
    ASSERT_EQ(OF_TYPE(T, getrsBatched)(this->handle, operation, n, columns, factors, lda, given_pivots, dpb.data(), n,
                                       &host_info, batch),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(0, host_info);
    ASSERT_EQ(
        OF_TYPE(T, getriBatched)(this->handle, n, factors, lda, given_pivots, dpc.data(), lda, info.data(), batch),
        CUBLAS_STATUS_SUCCESS);
    const auto x = db.values(), inverse = dc.values();
    auto again = b;
    std::vector<T> identity(n * n * batch), product(n * n * batch);
    for (int i = 0; i < batch; ++i) {
      const std::vector<T> ai(a.begin() + i * stride, a.end());
      for (int row = 0; row < n; ++row) {
        for (int column = 0; column < columns; ++column) {
          T sum = 0;
          for (int t = 0; t < n; ++t)
            sum += this->element(ai, lda, operation, row, t) * x[i * b_stride + t + column * n];
          again[i * b_stride + row + column * n] = sum;
        }
        for (int column = 0; column < n; ++column) {
          T sum = 0;
          for (int t = 0; t < n; ++t) sum += ai[row + t * lda] * inverse[i * stride + t + column * lda];
          product[(i * n + column) * n + row] = sum;
          identity[(i * n + column) * n + row] = row == column ? T(1) : T(0);
        }
      }
    }
    this->expect_near(b, again);
    this->expect_near(identity, product);
  }
}

using Mixed = Cublas;

TEST_F(Mixed, SingularMatricesAreReported) {
  const DeviceArray<float> a({1, 2, 2, 4});
  const DeviceArray<float*> array(std::vector<float*>{a.data()});
  const DeviceArray<int> pivots(std::vector<int>(2)), info({-1});
  ASSERT_EQ(cublasSgetrfBatched(handle, 2, array.data(), 2, pivots.data(), info.data(), 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(std::vector<int>{2}, info.values());
}

TEST_F(Mixed, VectorsHaveTheTypesThatTheCallNames) {
  const int n = 100;
  const auto x = values<_Float16>(n), z = values<_Float16>(n);
  const auto y = values<float>(n);
  double dot = 0, squares = 0;
  std::vector<float> sum = y;
  for (int i = 0; i < n; ++i) {
    dot += double(x[i]) * double(z[i]);
    squares += double(x[i]) * double(x[i]);
    sum[i] += 3 * static_cast<float>(x[i]);
  }
  const DeviceArray<_Float16> dx(x), dz(z);
  const DeviceArray<float> dy(y);
  float result = -1;
  ASSERT_EQ(cublasDotEx(handle, n, dx.data(), CUDA_R_16F, 1, dz.data(), CUDA_R_16F, 1, &result, CUDA_R_32F, CUDA_R_32F),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dot, result);
  ASSERT_EQ(cublasNrm2Ex(handle, n, dx.data(), CUDA_R_16F, 1, &result, CUDA_R_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_NEAR(std::sqrt(squares), result, 1e-4);
  const float three = 3;
  ASSERT_EQ(cublasAxpyEx(handle, n, &three, CUDA_R_32F, dx.data(), CUDA_R_16F, 1, dy.data(), CUDA_R_32F, 1, CUDA_R_32F),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(sum, dy.values());
  ASSERT_EQ(cublasScalEx(handle, n, &three, CUDA_R_32F, dy.data(), CUDA_R_32F, 1, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  for (float& value : sum) value *= 3;
  EXPECT_EQ(sum, dy.values());
  EXPECT_EQ(cublasDotEx(handle, n, dx.data(), CUDA_R_8I, 1, dz.data(), CUDA_R_8I, 1, &result, CUDA_R_32F, CUDA_R_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_F(Mixed, HalvesAreMultipliedInBatches) {
  const int m = 7, n = 5, k = 9, batch = 3;
  const auto a = values<_Float16>(m * k * batch), b = values<_Float16>(k * n * batch);
  std::vector<_Float16> expected(m * n * batch);
  for (int i = 0; i < batch; ++i)
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        float sum = 0;
        for (int t = 0; t < k; ++t)
          sum += static_cast<float>(a[(i * k + t) * m + row]) * static_cast<float>(b[(i * n + column) * k + t]);
        expected[(i * n + column) * m + row] = static_cast<_Float16>(sum);
      }
  const DeviceArray<_Float16> da(a), db(b), dc(std::vector<_Float16>(m * n * batch, static_cast<_Float16>(9)));
  const auto half = [](const _Float16* from) { return reinterpret_cast<const __half*>(from); };
  const _Float16 one = 1, zero = 0;
  auto* c = reinterpret_cast<__half*>(dc.data());
  ASSERT_EQ(cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, half(&one), half(da.data()), m, m * k,
                                      half(db.data()), k, k * n, half(&zero), c, m, m * n, batch),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(expected, dc.values());
}

}  // namespace

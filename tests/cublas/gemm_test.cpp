#include <algorithm>
#include <array>
#include <cmath>

#include "support.h"

namespace {

struct Product {
  bool ta, tb;
  int m, n, k, lda, ldb, ldc, batch;
  long long stride_a, stride_b, stride_c;
  float alpha, beta;

  cublasOperation_t op_a() const { return ta ? CUBLAS_OP_T : CUBLAS_OP_N; }
  cublasOperation_t op_b() const { return tb ? CUBLAS_OP_T : CUBLAS_OP_N; }
  std::size_t count_a() const { return static_cast<std::size_t>(stride_a * batch); }
  std::size_t count_b() const { return static_cast<std::size_t>(stride_b * batch); }
  std::size_t count_c() const { return static_cast<std::size_t>(stride_c * batch); }

  template <class T>
  std::vector<T> reference(const std::vector<T>& a, const std::vector<T>& b, std::vector<T> c) const {
    for (int i = 0; i < batch; ++i)
      for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
          double sum = 0;
          for (int term = 0; term < k; ++term)
            sum += double(a[i * stride_a + (ta ? term + row * lda : row + term * lda)]) *
                   double(b[i * stride_b + (tb ? column + term * ldb : term + column * ldb)]);
          T& place = c[i * stride_c + row + column * ldc];
          place = static_cast<T>(alpha * sum + (beta == 0 ? 0 : beta * double(place)));
        }
    return c;
  }
};

class Gemm : public Cublas {
 protected:
  Product product(int m, int n, int k, int batch = 1) {
    Product p{};
    p.ta = number(0, 1), p.tb = number(0, 1);
    p.m = m, p.n = n, p.k = k, p.batch = batch;
    p.lda = std::max(1, p.ta ? k : m) + number(0, 3);
    p.ldb = std::max(1, p.tb ? n : k) + number(0, 3);
    p.ldc = std::max(1, m) + number(0, 3);
    p.stride_a = static_cast<long long>(p.lda) * (p.ta ? m : k) + number(0, 5);
    p.stride_b = static_cast<long long>(p.ldb) * (p.tb ? k : n) + number(0, 5);
    p.stride_c = static_cast<long long>(p.ldc) * n + number(0, 5);
    p.alpha = number(-2, 2), p.beta = number(-1, 1);
    return p;
  }
};

TEST_F(Gemm, RandomShapesEqualTheReference) {
  for (int round = 0; round < 60; ++round) {
    const Product p = product(number(1, 70), number(1, 70), number(1, 70));
    const auto a = values(p.count_a()), b = values(p.count_b()), c = values(p.count_c());
    const DeviceArray<float> da(a), db(b), dc(c);
    ASSERT_EQ(cublasSgemm(handle, p.op_a(), p.op_b(), p.m, p.n, p.k, &p.alpha, da.data(), p.lda, db.data(), p.ldb,
                          &p.beta, dc.data(), p.ldc),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(dc.values(), p.reference(a, b, c)) << p.m << "x" << p.n << "x" << p.k;
  }
}

// Large enough for many tiles, with sizes that are not multiples of a tile.
TEST_F(Gemm, LargeProductsEqualTheReference) {
  for (auto [m, n, k] : {std::array{517, 389, 130}, {1030, 33, 257}, {33, 1030, 257}, {1000, 1, 300}, {1, 1000, 300}}) {
    const Product p = product(m, n, k);
    const auto a = values(p.count_a()), b = values(p.count_b()), c = values(p.count_c());
    const DeviceArray<float> da(a), db(b), dc(c);
    ASSERT_EQ(cublasSgemm(handle, p.op_a(), p.op_b(), m, n, k, &p.alpha, da.data(), p.lda, db.data(), p.ldb, &p.beta,
                          dc.data(), p.ldc),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(dc.values(), p.reference(a, b, c)) << m << "x" << n << "x" << k;
  }
}

TEST_F(Gemm, BatchesByStrideAndByPointersEqualTheReference) {
  for (int round = 0; round < 10; ++round) {
    const Product p = product(number(1, 40), number(1, 40), number(1, 40), number(1, 9));
    const auto a = values(p.count_a()), b = values(p.count_b()), c = values(p.count_c());
    const auto expected = p.reference(a, b, c);
    const DeviceArray<float> da(a), db(b), strided(c), pointed(c);
    ASSERT_EQ(
        cublasSgemmStridedBatched(handle, p.op_a(), p.op_b(), p.m, p.n, p.k, &p.alpha, da.data(), p.lda, p.stride_a,
                                  db.data(), p.ldb, p.stride_b, &p.beta, strided.data(), p.ldc, p.stride_c, p.batch),
        CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(strided.values(), expected);
    std::vector<const float*> as, bs;
    std::vector<float*> cs;
    for (int i = 0; i < p.batch; ++i) {
      as.push_back(da.data() + i * p.stride_a);
      bs.push_back(db.data() + i * p.stride_b);
      cs.push_back(pointed.data() + i * p.stride_c);
    }
    const DeviceArray<const float*> pa(as), pb(bs);
    const DeviceArray<float*> pc(cs);
    ASSERT_EQ(cublasSgemmBatched(handle, p.op_a(), p.op_b(), p.m, p.n, p.k, &p.alpha, pa.data(), p.lda, pb.data(),
                                 p.ldb, &p.beta, pc.data(), p.ldc, p.batch),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(pointed.values(), expected);
  }
}

TEST_F(Gemm, DoublesEqualTheReference) {
  const Product p = product(45, 67, 89);
  const auto a = values<double>(p.count_a()), b = values<double>(p.count_b()), c = values<double>(p.count_c());
  const DeviceArray<double> da(a), db(b), dc(c);
  const double alpha = p.alpha, beta = p.beta;
  ASSERT_EQ(cublasDgemm(handle, p.op_a(), p.op_b(), p.m, p.n, p.k, &alpha, da.data(), p.lda, db.data(), p.ldb, &beta,
                        dc.data(), p.ldc),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dc.values(), p.reference(a, b, c));
}

template <class Small>
std::vector<float> floats(const std::vector<Small>& values) {
  return {values.begin(), values.end()};
}

// The inputs are small integers, so that the results are exact in the small type too.
template <class Small>
void small_types(cublasHandle_t handle, const Product& p, const std::vector<float>& a, const std::vector<float>& b,
                 const std::vector<float>& c, cudaDataType type) {
  auto narrow = [](const std::vector<float>& wide) {
    std::vector<Small> narrowed;
    for (float value : wide) narrowed.push_back(Small(value));
    return narrowed;
  };
  const auto expected = p.reference(a, b, c);
  const DeviceArray<Small> da(narrow(a)), db(narrow(b)), into_same(narrow(c));
  const DeviceArray<float> into_floats(c);
  auto call = [&](void* result, cudaDataType result_type) {
    return cublasGemmStridedBatchedEx(handle, p.op_a(), p.op_b(), p.m, p.n, p.k, &p.alpha, da.data(), type, p.lda,
                                      p.stride_a, db.data(), type, p.ldb, p.stride_b, &p.beta, result, result_type,
                                      p.ldc, p.stride_c, p.batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  };
  ASSERT_EQ(call(into_floats.data(), CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(into_floats.values(), expected);
  ASSERT_EQ(call(into_same.data(), type), CUBLAS_STATUS_SUCCESS);
  const auto got = floats(into_same.values());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], static_cast<float>(Small(expected[i]))) << "element " << i;
}

TEST_F(Gemm, SixteenBitsAreMultipliedInSinglePrecision) {
  for (int round = 0; round < 4; ++round) {
    const Product p = product(number(1, 40), number(1, 40), number(1, 12), 3);
    const auto a = values(p.count_a()), b = values(p.count_b()), c = values(p.count_c());
    small_types<__half>(handle, p, a, b, c, CUDA_R_16F);
    small_types<__nv_bfloat16>(handle, p, a, b, c, CUDA_R_16BF);
  }
}

TEST_F(Gemm, HalvesMayHaveHalfScalars) {
  const std::vector<__half> ones(64, __half(1.0f));
  const DeviceArray<__half> a(ones), b(ones), c(ones), scalars({__half(0.5f), __half(2.0f)});
  const __half alpha(0.5f), beta(2.0f);
  auto call = [&](const __half* alpha, const __half* beta) {
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, alpha, a.data(), CUDA_R_16F, 8, b.data(), CUDA_R_16F,
                        8, beta, c.data(), CUDA_R_16F, 8, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
  };
  ASSERT_EQ(call(&alpha, &beta), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(floats(c.values()), std::vector<float>(64, 6));
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(call(scalars.data(), scalars.data() + 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(floats(c.values()), std::vector<float>(64, 16));
}

TEST_F(Gemm, WithoutBetaTheOutputIsNotRead) {
  const DeviceArray<float> a({1}), b({2}), c({NAN});
  const float one = 1, zero = 0;
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.data(), 1, b.data(), 1, &zero, c.data(), 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), std::vector<float>{2});
}

TEST_F(Gemm, WithoutTermsOnlyBetaCounts) {
  const DeviceArray<float> c({1, 2, 3, 4});
  const float one = 1, three = 3;
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &one, c.data(), 2, c.data(), 1, &three, c.data(), 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), (std::vector<float>{3, 6, 9, 12}));
}

TEST_F(Gemm, WrongArgumentsAreRefused) {
  const DeviceArray<float> x(std::vector<float>(16));
  const float one = 1;
  auto call = [&](cublasOperation_t ta, int m, int n, int k, int lda, int ldb, int ldc) {
    return cublasSgemm(handle, ta, CUBLAS_OP_N, m, n, k, &one, x.data(), lda, x.data(), ldb, &one, x.data(), ldc);
  };
  EXPECT_EQ(call(CUBLAS_OP_N, 2, 2, 2, 1, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(CUBLAS_OP_N, 2, 2, 2, 2, 1, 2), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(CUBLAS_OP_N, 2, 2, 2, 2, 2, 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(CUBLAS_OP_N, -1, 2, 2, 2, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(static_cast<cublasOperation_t>(7), 2, 2, 2, 2, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(CUBLAS_OP_N, 0, 2, 2, 2, 2, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x.data(), 1, x.data(), 1, &one, x.data(), 1),
            CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, x.data(), CUDA_R_16F, 1, x.data(), CUDA_R_16F,
                         1, &one, x.data(), CUDA_R_64F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_NOT_SUPPORTED);
}

// With a user workspace, a captured product consists of kernel nodes only; a replay reads the current contents of
// memory.
TEST_F(Gemm, CapturedProductsAreReplayed) {
  constexpr int n = 300;
  const DeviceArray<float> workspace(std::vector<float>(8 << 20));
  ASSERT_EQ(cublasSetWorkspace(handle, workspace.data(), 32 << 20), CUBLAS_STATUS_SUCCESS);
  const auto a = values(n * n);
  const DeviceArray<float> da(a), db(a), dc(a), alpha({1}), beta({0});
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  auto call = [&] {
    return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, alpha.data(), da.data(), n, db.data(), n, beta.data(),
                       dc.data(), n);
  };
  ASSERT_EQ(call(), CUBLAS_STATUS_SUCCESS);
  const auto expected = dc.values();
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(call(), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  std::size_t count = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  std::vector<cudaGraphNode_t> nodes(count);
  ASSERT_EQ(cudaGraphGetNodes(graph, nodes.data(), &count), cudaSuccess);
  ASSERT_GE(count, 1u);
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    ASSERT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
    EXPECT_EQ(type, cudaGraphNodeTypeKernel);
  }
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  const float two = 2;
  ASSERT_EQ(cudaMemcpy(alpha.data(), &two, sizeof two, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  const auto got = dc.values();
  for (int i = 0; i < n * n; ++i) ASSERT_EQ(got[i], 2 * expected[i]);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

}  // namespace

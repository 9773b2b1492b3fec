// Matrix products by our cuBLAS compared with direct calls of OpenBLAS, on one thread and on all cores, measured
// alternately. A call of ours includes the launch and a wait.
#include <cblas.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

extern "C" void openblas_set_num_threads(int count);
extern "C" char* openblas_get_corename();

namespace {

struct Product {
  int m, n, k;
  bool a_transposed, b_transposed;
};

template <class Call>
double microseconds(int count, const Call& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) call();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / count;
}

void measure(cublasHandle_t handle, const Product& p, int cores) {
  std::vector<float> a(static_cast<std::size_t>(p.m) * p.k, 1), b(static_cast<std::size_t>(p.k) * p.n, 1),
      c(static_cast<std::size_t>(p.m) * p.n);
  const int lda = p.a_transposed ? p.k : p.m, ldb = p.b_transposed ? p.n : p.k;
  const float one = 1, zero = 0;
  auto direct = [&] {
    const auto ta = p.a_transposed ? CblasTrans : CblasNoTrans, tb = p.b_transposed ? CblasTrans : CblasNoTrans;
    if (p.n == 1) {
      cblas_sgemv(CblasColMajor, ta, p.a_transposed ? p.k : p.m, p.a_transposed ? p.m : p.k, 1, a.data(), lda, b.data(),
                  1, 0, c.data(), 1);
    } else {
      cblas_sgemm(CblasColMajor, ta, tb, p.m, p.n, p.k, 1, a.data(), lda, b.data(), ldb, 0, c.data(), p.m);
    }
  };
  auto ours = [&] {
    cublasSgemm(handle, p.a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, p.b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, p.m,
                p.n, p.k, &one, a.data(), lda, b.data(), ldb, &zero, c.data(), p.m);
    cudaStreamSynchronize(nullptr);
  };
  const int count = std::clamp(static_cast<int>(1e8 / (2.0 * p.m * p.n * p.k)), 1, 2000);
  double alone = 1e30, together = 1e30, own = 1e30;
  for (int round = 0; round < 9; ++round) {
    alone = std::min(alone, microseconds(count, direct));
    own = std::min(own, microseconds(count, ours));
    openblas_set_num_threads(cores);
    together = std::min(together, microseconds(count, direct));
    openblas_set_num_threads(1);
  }
  std::printf("%4d x %4d, %4d terms%s%s %10.2f %10.2f %10.2f %7.2f\n", p.m, p.n, p.k, p.a_transposed ? " T" : " N",
              p.b_transposed ? "T" : "N", own, alone, together, own / std::min(alone, together));
}

}  // namespace

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  std::printf("OpenBLAS with code for %s; microseconds\n%-24s %10s %10s %10s %7s\n", openblas_get_corename(),
              "result, terms", "ours", "1 thread", "all cores", "ratio");
  for (const Product& p :
       {Product{4, 4, 4, false, false}, Product{16, 16, 16, false, false}, Product{64, 64, 64, false, false},
        Product{128, 128, 128, false, false}, Product{256, 256, 256, false, false},
        Product{512, 512, 512, false, false}, Product{1024, 1024, 1024, false, false},
        Product{1024, 64, 1024, true, false}, Product{1024, 1024, 64, false, true}, Product{512, 32, 1024, true, false},
        Product{256, 32, 512, true, false}, Product{512, 1, 1024, true, false}, Product{256, 1, 512, true, false},
        Product{10, 1, 256, true, false}})
    measure(handle, p, cores);
  cublasDestroy(handle);
}

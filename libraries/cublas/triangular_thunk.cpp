#include <algorithm>

#include "triangular.h"

namespace reprise_cublas {

template <class Value>
void run_blocks(const TriangularSolve<Value>& work, const reprise_launch& launch) {
  const uint64_t blocks = parts(work.independent(), work.part);
  for (uint64_t block = launch.block_begin; block < launch.block_end; ++block) {
    const uint64_t batch = block / blocks;
    const int begin = static_cast<int>(block % blocks) * work.part;
    const int count = std::min(work.part, work.independent() - begin);
    const bool left = work.side == CblasLeft;
    Value* b = work.b_array ? work.b_array[batch] : work.b;
    b += left ? static_cast<int64_t>(begin) * work.b_leading : begin;
    trsm(work.side, work.uplo, work.operation, work.diagonal, left ? work.rows : count, left ? count : work.columns,
         work.alpha.get(), work.a_array ? work.a_array[batch] : work.a, work.a_leading, b, work.b_leading);
  }
}

template void run_blocks(const TriangularSolve<float>&, const reprise_launch&);
template void run_blocks(const TriangularSolve<double>&, const reprise_launch&);
template void run_blocks(const TriangularSolve<Complex>&, const reprise_launch&);
template void run_blocks(const TriangularSolve<DoubleComplex>&, const reprise_launch&);

}  // namespace reprise_cublas

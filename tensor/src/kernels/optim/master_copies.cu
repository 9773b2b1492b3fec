#include "kernels/device/dependent_launch.h"
#include "kernels/device/element.h"
#include "kernels/optim/master_copies.h"
#include "kernels/optim/tensor_table.h"

namespace reprise::kernels {
namespace {

__device__ float rounded(float value, DType dtype) {
  return dtype == DType::f16 ? __half2float(__float2half_rn(value)) : __bfloat162float(__float2bfloat16_rn(value));
}

// Lists: parameter, master.
__global__ void follow_or_round(TensorTable<2> table, bool follows) {
  wait_for_prior_grids();
  using Table = TensorTable<2>;
  int row = 0;
  while (table.first_block[row + 1] <= blockIdx.x) ++row;
  const std::int64_t first = std::int64_t(blockIdx.x - table.first_block[row]) * Table::chunk;
  const DType dtype = table.dtype[0][row];
  char* parameter = static_cast<char*>(table.data[0][row]) + first * 2;
  float* master = static_cast<float*>(table.data[1][row]) + first;
  const std::int64_t left = table.numel[row] - first;
  for (int i = threadIdx.x; i < Table::chunk && i < left; i += Table::threads) {
    if (follows) {
      const float value = load<float>(parameter, dtype, i);
      if (rounded(master[i], dtype) != value) master[i] = value;
    } else {
      store<float>(parameter, dtype, i, master[i]);
    }
  }
}

void launch(const std::vector<Tensor>& parameters, const std::vector<Tensor>& masters, bool follows) {
  in_tables<2>("an optimiser's copies", {&parameters, &masters}, [&](const TensorTable<2>& table) {
    launch_dependent("an optimiser's copies", follow_or_round, {table.blocks(), table.threads}, table, follows);
  });
}

}  // namespace

void follow(const std::vector<Tensor>& masters, const std::vector<Tensor>& parameters) {
  launch(parameters, masters, true);
}
void round_to(const std::vector<Tensor>& parameters, const std::vector<Tensor>& masters) {
  launch(parameters, masters, false);
}

}  // namespace reprise::kernels

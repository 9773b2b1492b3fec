// Heat diffusion on a plate: 2D blocks, shared-memory tiles with a halo, two buffers that are swapped.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check.h"

constexpr int tile = 16;

__global__ void spread(const float* in, float* out, int width, int height) {
  __shared__ float cell[tile + 2][tile + 2];
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  const auto at = [=](int column, int row) {
    return in[min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)];
  };
  const int column = threadIdx.x + 1, row = threadIdx.y + 1;
  cell[row][column] = at(x, y);
  if (threadIdx.x == 0) cell[row][0] = at(x - 1, y);
  if (threadIdx.x == tile - 1) cell[row][tile + 1] = at(x + 1, y);
  if (threadIdx.y == 0) cell[0][column] = at(x, y - 1);
  if (threadIdx.y == tile - 1) cell[tile + 1][column] = at(x, y + 1);
  __syncthreads();
  if (x < width && y < height)
    out[y * width + x] = 0.2f * (cell[row][column] + cell[row][column - 1] + cell[row][column + 1] +
                                 cell[row - 1][column] + cell[row + 1][column]);
}

void spread_on_host(const std::vector<float>& in, std::vector<float>& out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = [&](int column, int row) {
        return in[std::clamp(row, 0, height - 1) * width + std::clamp(column, 0, width - 1)];
      };
      out[y * width + x] = 0.2f * (at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
    }
}

int main() {
  const int width = 500, height = 300, steps = 50;
  std::vector<float> plate(width * height, 0.0f), other(plate);
  plate[height / 2 * width + width / 2] = 1000.0f;

  float *in, *out;
  const size_t bytes = plate.size() * sizeof(float);
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemcpy(in, plate.data(), bytes, cudaMemcpyHostToDevice));
  const dim3 grid((width + tile - 1) / tile, (height + tile - 1) / tile), block(tile, tile);
  for (int step = 0; step < steps; ++step) {
    spread<<<grid, block>>>(in, out, width, height);
    std::swap(in, out);
  }
  std::vector<float> result(plate.size());
  CHECK(cudaMemcpy(result.data(), in, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));

  for (int step = 0; step < steps; ++step) {
    spread_on_host(plate, other, width, height);
    std::swap(plate, other);
  }
  float difference = 0;
  for (size_t i = 0; i < plate.size(); ++i) difference = std::max(difference, std::fabs(plate[i] - result[i]));
  std::printf("%d steps on a %dx%d plate: hottest %g, at most %g from plain C++\n", steps, width, height,
              *std::max_element(result.begin(), result.end()), difference);
  return difference > 1e-4f;
}

// The shape of a convolution of [n, c, h, w] by [k, c / groups, r, s].
#pragma once

#include <cstdint>
#include <tuple>

namespace reprise_cudnn {

enum class Direction { forward, data, filter };

struct Shape {
  int n = 0, c = 0, h = 0, w = 0, k = 0, r = 0, s = 0, groups = 1;
  int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;

  int out_h() const { return (h + 2 * pad_h - dilation_h * (r - 1) - 1) / stride_h + 1; }
  int out_w() const { return (w + 2 * pad_w - dilation_w * (s - 1) - 1) / stride_w + 1; }
  double operations() const { return 2.0 * n * k * out_h() * out_w() * (c / groups) * r * s; }
  int64_t filter_numbers() const { return int64_t{k} * (c / groups) * r * s; }

  auto key() const {
    return std::make_tuple(n, c, h, w, k, r, s, groups, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w);
  }
};

}  // namespace reprise_cudnn

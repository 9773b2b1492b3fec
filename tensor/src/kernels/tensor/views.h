// Views: other sizes and strides over the same memory. They launch nothing.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// Any sizes and strides over the memory of the tensor, without checks; `offset` is in elements.
Tensor as_strided(const Tensor& x, const Sizes& sizes, const Sizes& strides, std::int64_t offset);
Tensor alias(const Tensor& x);

Tensor view(const Tensor& x, const Sizes& sizes);
// Copies if no view is possible.
Tensor reshape(const Tensor& x, const Sizes& sizes);
Tensor transpose(const Tensor& x, std::int64_t dim0, std::int64_t dim1);
Tensor permute(const Tensor& x, const Sizes& dims);
Tensor narrow(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length);
Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index);
// Python's x[start:end:step].
Tensor slice(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step);
Tensor squeeze(const Tensor& x, std::int64_t dim);
Tensor unsqueeze(const Tensor& x, std::int64_t dim);
Tensor expand(const Tensor& x, const Sizes& sizes);
// The sizes after merging the dimensions first..last.
Sizes flattened_sizes(const Sizes& sizes, std::int64_t first, std::int64_t last);

}  // namespace reprise::kernels

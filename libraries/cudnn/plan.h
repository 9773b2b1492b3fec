// A convolution divided into pieces for the runtime's workers. Plans are made once for each shape and never destroyed,
// since captured graphs refer to them.
#pragma once

#include <memory>
#include <vector>

#include "primitive.h"

namespace reprise_cudnn {

// A piece computes some images in all channels, or, of few images, each in some of the result's channels. The gradient
// of the filters is a sum over images: its pieces have results of their own, which are then added.
struct Piece {
  const Primitive* primitive;
  int64_t a, b, bias, to;  // where its operands and its result begin, in elements
};

struct Plan {
  std::vector<Piece> pieces;
  double work = 0;         // of a piece, in floating-point operations
  int64_t sum_length = 0;  // elements to add from all pieces; 0 if the pieces write the result
};

// The plan for the shape on `cores` cores. Throws dnnl::error if oneDNN has no such convolution.
const Plan& plan_of(const Shape& shape, const Options& options, int cores);

}  // namespace reprise_cudnn

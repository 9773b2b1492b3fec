// One convolution by oneDNN on the calling thread, from and to contiguous memory. oneDNN chooses the layouts in which
// it computes; the operands are reordered to them and the result from them.
//
// Thread safety: execute() may be called by several threads at the same time.
#pragma once

#include <dnnl.hpp>

#include "shape.h"

namespace reprise_cudnn {

struct Options {
  Direction direction = Direction::forward;
  bool bias = false, relu = false;
};

class Primitive {
 public:
  Primitive(const Shape& shape, const Options& options);

  // `a` and `b` are the inputs (image and filter, gradient and filter, image and gradient), `to` the result.
  void execute(const float* a, const float* b, const float* bias, float* to) const;

 private:
  struct Operand {
    int argument;
    dnnl::memory::desc plain, wanted;
    dnnl::reorder reorder;  // null if the layouts are the same
    size_t offset = 0;      // of the reordered copy, in the scratch memory
  };
  void choose_layout(Operand& operand, const dnnl::memory::desc& wanted, bool is_result);

  Operand a_, b_, to_;
  dnnl::memory::desc bias_, scratchpad_;
  dnnl::primitive primitive_;
  bool with_bias_;
  size_t scratch_bytes_ = 0, scratchpad_offset_ = 0;
};

}  // namespace reprise_cudnn

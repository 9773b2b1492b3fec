#include "primitive.h"

#include <cstdlib>
#include <memory>

#include "one_thread.h"

namespace reprise_cudnn {
namespace {

using dnnl::memory;
using Dims = memory::dims;

const dnnl::engine& engine() {
  static const auto* made = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *made;
}

// Grows as needed and stays, one for each thread.
char* scratch(size_t bytes) {
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  thread_local std::unique_ptr<char, Free> data;
  thread_local size_t size = 0;
  if (size < bytes) {
    data.reset();
    data.reset(static_cast<char*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
    size = bytes;
  }
  return data.get();
}

memory::desc plain(const Dims& dims) {
  const auto tag = dims.size() == 5   ? memory::format_tag::goihw
                   : dims.size() == 4 ? memory::format_tag::nchw
                                      : memory::format_tag::x;
  return {dims, memory::data_type::f32, tag};
}

memory::desc any(const Dims& dims) { return {dims, memory::data_type::f32, memory::format_tag::any}; }

size_t bytes_of(const memory::desc& desc) { return (desc.get_size() + 63) / 64 * 64; }

// The sizes of the three tensors and the parameters of the window, as oneDNN counts them.
struct Sizes {
  Dims image, filter, result, bias, strides, dilations, pads_before, pads_after;

  explicit Sizes(const Shape& s)
      : image{s.n, s.c, s.h, s.w},
        filter(s.groups > 1 ? Dims{s.groups, s.k / s.groups, s.c / s.groups, s.r, s.s} : Dims{s.k, s.c, s.r, s.s}),
        result{s.n, s.k, s.out_h(), s.out_w()},
        bias{s.k},
        strides{s.stride_h, s.stride_w},
        dilations{s.dilation_h - 1, s.dilation_w - 1},
        pads_before{s.pad_h, s.pad_w},
        pads_after{after(s.h, s.r, s.pad_h, s.stride_h, s.dilation_h, s.out_h()),
                   after(s.w, s.s, s.pad_w, s.stride_w, s.dilation_w, s.out_w())} {}

  // The padding that the last window needs, which is less than asked for if the windows do not reach the end.
  static int64_t after(int size, int filter, int pad, int stride, int dilation, int count) {
    return int64_t{count - 1} * stride + int64_t{dilation} * (filter - 1) + 1 - size - pad;
  }
};

constexpr auto direct = dnnl::algorithm::convolution_direct;

dnnl::convolution_forward::primitive_desc forward(const Sizes& s, bool bias, dnnl::prop_kind kind,
                                                  const dnnl::primitive_attr& attributes) {
  const memory::desc of_bias = bias ? plain(s.bias) : memory::desc();
#if DNNL_VERSION_MAJOR >= 3
  return {engine(),      kind,      direct,      any(s.image),  any(s.filter), of_bias,
          any(s.result), s.strides, s.dilations, s.pads_before, s.pads_after,  attributes};
#else
  return {{kind, direct, any(s.image), any(s.filter), of_bias, any(s.result), s.strides, s.dilations, s.pads_before,
           s.pads_after},
          attributes,
          engine()};
#endif
}

// The descriptions of gradients refer to that of a forward convolution as a hint.
dnnl::convolution_backward_data::primitive_desc backward_data(const Sizes& s, const dnnl::primitive_attr& attributes) {
  const auto hint = forward(s, false, dnnl::prop_kind::forward_training, {});
#if DNNL_VERSION_MAJOR >= 3
  return {engine(),    direct,        any(s.image), any(s.filter), any(s.result), s.strides,
          s.dilations, s.pads_before, s.pads_after, hint,          attributes};
#else
  return {{direct, any(s.image), any(s.filter), any(s.result), s.strides, s.dilations, s.pads_before, s.pads_after},
          attributes,
          engine(),
          hint};
#endif
}

dnnl::convolution_backward_weights::primitive_desc backward_weights(const Sizes& s,
                                                                    const dnnl::primitive_attr& attributes) {
  const auto hint = forward(s, false, dnnl::prop_kind::forward_training, {});
#if DNNL_VERSION_MAJOR >= 3
  return {engine(),    direct,        any(s.image), any(s.filter), any(s.result), s.strides,
          s.dilations, s.pads_before, s.pads_after, hint,          attributes};
#else
  return {{direct, any(s.image), any(s.filter), any(s.result), s.strides, s.dilations, s.pads_before, s.pads_after},
          attributes,
          engine(),
          hint};
#endif
}

dnnl::primitive_attr attributes_of(bool relu) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (relu) {
    dnnl::post_ops after;
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
#else
    after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
#endif
    attributes.set_post_ops(after);
  }
  return attributes;
}

dnnl::reorder reorder(const memory::desc& from, const memory::desc& to) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::library);
  return dnnl::reorder(dnnl::reorder::primitive_desc(engine(), from, engine(), to, attributes));
}

}  // namespace

void Primitive::choose_layout(Operand& operand, const memory::desc& wanted, bool is_result) {
  operand.wanted = wanted;
  if (wanted == operand.plain) return;
  operand.reorder = is_result ? reorder(wanted, operand.plain) : reorder(operand.plain, wanted);
  operand.offset = scratch_bytes_;
  scratch_bytes_ += bytes_of(wanted);
}

Primitive::Primitive(const Shape& shape, const Options& options) : with_bias_(options.bias) {
  const OneThread one;
  const Sizes s(shape);
  const dnnl::primitive_attr attributes = attributes_of(options.relu);
  auto set = [&](Operand& operand, int argument, const Dims& dims, const memory::desc& wanted) {
    operand.argument = argument;
    operand.plain = plain(dims);
    choose_layout(operand, wanted, &operand == &to_);
  };
  auto finish = [&](const auto& desc, auto made) {
    primitive_ = std::move(made);
    scratchpad_ = desc.scratchpad_desc();
  };
  if (options.bias) bias_ = plain(s.bias);
  switch (options.direction) {
    case Direction::forward: {
      const auto desc = forward(s, options.bias, dnnl::prop_kind::forward_inference, attributes);
      set(a_, DNNL_ARG_SRC, s.image, desc.src_desc());
      set(b_, DNNL_ARG_WEIGHTS, s.filter, desc.weights_desc());
      set(to_, DNNL_ARG_DST, s.result, desc.dst_desc());
      finish(desc, dnnl::convolution_forward(desc));
      break;
    }
    case Direction::data: {
      const auto desc = backward_data(s, attributes);
      set(a_, DNNL_ARG_DIFF_DST, s.result, desc.diff_dst_desc());
      set(b_, DNNL_ARG_WEIGHTS, s.filter, desc.weights_desc());
      set(to_, DNNL_ARG_DIFF_SRC, s.image, desc.diff_src_desc());
      finish(desc, dnnl::convolution_backward_data(desc));
      break;
    }
    case Direction::filter: {
      const auto desc = backward_weights(s, attributes);
      set(a_, DNNL_ARG_SRC, s.image, desc.src_desc());
      set(b_, DNNL_ARG_DIFF_DST, s.result, desc.diff_dst_desc());
      set(to_, DNNL_ARG_DIFF_WEIGHTS, s.filter, desc.diff_weights_desc());
      finish(desc, dnnl::convolution_backward_weights(desc));
      break;
    }
  }
  scratchpad_offset_ = scratch_bytes_;
  scratch_bytes_ += bytes_of(scratchpad_);
}

void Primitive::execute(const float* a, const float* b, const float* bias, float* to) const {
  const OneThread one;
  thread_local dnnl::stream stream(engine());
  char* space = scratch(scratch_bytes_);
  std::unordered_map<int, memory> arguments;
  // oneDNN takes the addresses of inputs as void*, too.
  auto input = [&](const Operand& operand, const float* data) {
    memory own(operand.plain, engine(), const_cast<float*>(data));
    if (!operand.reorder) return own;
    memory copy(operand.wanted, engine(), space + operand.offset);
    operand.reorder.execute(stream, own, copy);
    return copy;
  };
  arguments.emplace(a_.argument, input(a_, a));
  arguments.emplace(b_.argument, input(b_, b));
  if (with_bias_) arguments.emplace(DNNL_ARG_BIAS, memory(bias_, engine(), const_cast<float*>(bias)));
  memory result(to_.wanted, engine(), to_.reorder ? static_cast<void*>(space + to_.offset) : to);
  arguments.emplace(to_.argument, result);
  arguments.emplace(DNNL_ARG_SCRATCHPAD, memory(scratchpad_, engine(), space + scratchpad_offset_));
  primitive_.execute(stream, arguments);
  if (to_.reorder) {
    memory own(to_.plain, engine(), to);
    to_.reorder.execute(stream, result, own);
  }
  stream.wait();
}

}  // namespace reprise_cudnn

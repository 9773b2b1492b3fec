// Losses made of recorded operations.
#include <reprise/ops.h>

#include <limits>

#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/factories.h"

namespace reprise {
namespace {

Tensor reduced(const Tensor& losses, Reduction reduction) {
  return reduction == Reduction::mean ? mean(losses) : reduction == Reduction::sum ? sum(losses) : losses;
}

void check_same(const char* operation, const Tensor& x, const Tensor& target) {
  check(x.sizes() == target.sizes(), operation, ": a target of ", target.sizes(), " for ", x.sizes());
}

// The weights of the classes beside [rows, classes, ...].
Tensor beside_classes(const Tensor& weight, const Tensor& x, const char* operation) {
  const int dim = x.dim() == 1 ? 0 : 1;
  check(weight.dim() == 1 && weight.size(0) == x.size(dim), operation, ": a weight of ", weight.sizes(), " for ",
        x.sizes());
  Sizes sizes = Sizes::filled(x.dim(), 1);
  sizes[dim] = weight.size(0);
  return weight.view(sizes);
}

// Without the rows that do not count.
struct Counted {
  Tensor classes;  // within range, with the dimension of the classes
  Tensor weight;   // of each element; 0 if it does not count
};

Counted counted(const Tensor& x, const Tensor& classes, const Tensor& weight, std::int64_t ignore_index,
                const char* operation) {
  const int dim = x.dim() == 1 ? 0 : 1;
  Sizes expected = x.sizes();
  expected.erase(dim);
  check(classes.dtype() == DType::i64 && classes.sizes() == expected, operation, ": classes of ", classes.dtype(), " ",
        classes.sizes(), " for ", x.sizes());
  const Tensor ignored = kernels::eq(classes, ignore_index);
  Counted made{masked_fill(classes, ignored, 0).unsqueeze(dim), {}};
  const Tensor ones = kernels::ones(classes.sizes(), x.dtype());
  const Tensor own =
      weight.defined() ? index_select(weight, 0, made.classes.reshape({-1})).reshape(classes.sizes()) : ones;
  made.weight = masked_fill(own, ignored, 0);
  return made;
}

Tensor weighted_mean(const Tensor& losses, const Tensor& weight, Reduction reduction) {
  if (reduction != Reduction::mean) return reduced(losses, reduction);
  return div(sum(losses), sum(weight));
}

}  // namespace

Tensor nll_loss(const Tensor& log_probabilities, const Tensor& classes, const Tensor& weight, Reduction reduction,
                std::int64_t ignore_index) {
  const int dim = log_probabilities.dim() == 1 ? 0 : 1;
  const Counted own = counted(log_probabilities, classes, weight, ignore_index, "nll_loss");
  const Tensor chosen = gather(log_probabilities, dim, own.classes).squeeze(dim);
  return weighted_mean(neg(mul(chosen, own.weight)), own.weight, reduction);
}

Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options) {
  const int dim = logits.dim() == 1 ? 0 : 1;
  check(options.label_smoothing >= 0 && options.label_smoothing <= 1, "cross_entropy: a label smoothing of ",
        options.label_smoothing);
  const bool probabilities = is_floating(target.dtype());
  if (!probabilities && !options.weight.defined() && options.label_smoothing == 0 &&
      options.reduction != Reduction::none && logits.dtype() != DType::f64)
    return cross_entropy(logits, target, options.reduction, options.ignore_index);
  const Tensor logs = log_softmax(logits, dim);
  const double smooth = options.label_smoothing;
  const double classes = static_cast<double>(logits.size(dim));
  if (probabilities) {
    check_same("cross_entropy", logits, target);
    const Tensor wanted = smooth > 0 ? add(mul(target, 1 - smooth), smooth / classes) : target;
    Tensor terms = mul(wanted, logs);
    if (options.weight.defined()) terms = mul(terms, beside_classes(options.weight, logits, "cross_entropy"));
    const Tensor losses = neg(sum(terms, {dim}));
    return options.reduction == Reduction::mean
               ? div(sum(losses), static_cast<double>(logits.numel() / logits.size(dim)))
               : reduced(losses, options.reduction);
  }
  const Tensor plain = nll_loss(logs, target, options.weight, options.reduction, options.ignore_index);
  if (smooth == 0) return plain;
  const Counted own = counted(logits, target, options.weight, options.ignore_index, "cross_entropy");
  Tensor all = logs;
  if (options.weight.defined()) all = mul(all, beside_classes(options.weight, logits, "cross_entropy"));
  const Tensor spread = masked_fill(neg(sum(all, {dim})), kernels::eq(target, options.ignore_index), 0);
  return add(mul(plain, 1 - smooth), mul(weighted_mean(spread, own.weight, options.reduction), smooth / classes));
}

Tensor l1_loss(const Tensor& x, const Tensor& target, Reduction reduction) {
  check_same("l1_loss", x, target);
  return reduced(abs(sub(x, target)), reduction);
}

Tensor huber_loss(const Tensor& x, const Tensor& target, Reduction reduction, double delta) {
  check_same("huber_loss", x, target);
  check(delta > 0, "huber_loss: a delta of ", delta);
  const Tensor distance = abs(sub(x, target));
  const Tensor near = kernels::lt(distance, delta);
  return reduced(where(near, mul(mul(distance, distance), 0.5), mul(sub(distance, delta / 2), delta)), reduction);
}

Tensor smooth_l1_loss(const Tensor& x, const Tensor& target, Reduction reduction, double beta) {
  check_same("smooth_l1_loss", x, target);
  check(beta >= 0, "smooth_l1_loss: a beta of ", beta);
  if (beta == 0) return l1_loss(x, target, reduction);
  return div(huber_loss(x, target, reduction, beta), beta);
}

Tensor binary_cross_entropy(const Tensor& x, const Tensor& target, const Tensor& weight, Reduction reduction) {
  check_same("binary_cross_entropy", x, target);
  // As in PyTorch, logarithms are at least -100.
  const Tensor losses =
      neg(add(mul(target, clamp_min(log(x), -100)), mul(sub(1, target), clamp_min(log(sub(1, x)), -100))));
  return reduced(weight.defined() ? mul(losses, weight) : losses, reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& x, const Tensor& target, const Tensor& weight,
                                        const Tensor& pos_weight, Reduction reduction) {
  check_same("binary_cross_entropy_with_logits", x, target);
  const Tensor other = softplus(neg(x), 1, std::numeric_limits<double>::infinity());
  Tensor losses = pos_weight.defined()
                      ? add(mul(sub(1, target), x), mul(add(mul(sub(pos_weight, 1), target), 1), other))
                      : add(mul(sub(1, target), x), other);
  return reduced(weight.defined() ? mul(losses, weight) : losses, reduction);
}

Tensor kl_div(const Tensor& x, const Tensor& target, Reduction reduction, bool log_target) {
  check_same("kl_div", x, target);
  if (log_target) return reduced(mul(exp(target), sub(target, x)), reduction);
  // 0 log 0 is 0.
  const Tensor none = kernels::eq(target, 0);
  return reduced(sub(mul(target, log(masked_fill(target, none, 1))), mul(target, x)), reduction);
}

}  // namespace reprise

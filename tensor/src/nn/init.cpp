#include <reprise/grad_mode.h>
#include <reprise/nn/init.h>

#include <cmath>

namespace reprise::nn {
namespace {

struct Fans {
  double in, out;
  explicit Fans(const Tensor& x) {
    check(x.dim() >= 2, "init: ", x.sizes(), " has no fans; two dimensions are needed");
    const auto window = static_cast<double>(x.numel() / (x.size(0) * x.size(1)));
    in = static_cast<double>(x.size(1)) * window;
    out = static_cast<double>(x.size(0)) * window;
  }
};

double kaiming_deviation(const Tensor& x, double a) { return std::sqrt(2 / ((1 + a * a) * Fans(x).in)); }
double xavier_deviation(const Tensor& x, double gain) {
  const Fans fans(x);
  return gain * std::sqrt(2 / (fans.in + fans.out));
}

}  // namespace

void init::uniform_(Tensor x, double low, double high) {
  NoGradGuard guard;
  x.uniform_(low, high);
}
void init::normal_(Tensor x, double mean, double deviation) {
  NoGradGuard guard;
  x.normal_(mean, deviation);
}
void init::constant_(Tensor x, double value) {
  NoGradGuard guard;
  x.fill_(value);
}
void init::zeros_(Tensor x) { init::constant_(x, 0); }
void init::ones_(Tensor x) { init::constant_(x, 1); }
void init::xavier_uniform_(Tensor x, double gain) {
  const double bound = std::sqrt(3.0) * xavier_deviation(x, gain);
  init::uniform_(x, -bound, bound);
}
void init::xavier_normal_(Tensor x, double gain) { init::normal_(x, 0, xavier_deviation(x, gain)); }
void init::kaiming_uniform_(Tensor x, double a) {
  const double bound = std::sqrt(3.0) * kaiming_deviation(x, a);
  init::uniform_(x, -bound, bound);
}
void init::kaiming_normal_(Tensor x, double a) { init::normal_(x, 0, kaiming_deviation(x, a)); }

}  // namespace reprise::nn

#include <reprise/optim/plateau.h>

#include <algorithm>
#include <limits>

namespace reprise::optim {

ReduceLROnPlateau::ReduceLROnPlateau(Optimizer& optimizer, PlateauOptions options)
    : optimizer_(optimizer),
      options_(options),
      best_(options.maximize ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity()) {
  for (std::size_t i = 0; i < optimizer.groups(); ++i) rates_.push_back(optimizer.initial_learning_rate(i));
}

void ReduceLROnPlateau::step(double value) {
  const bool better =
      options_.maximize ? value > best_ * (1 + options_.threshold) : value < best_ * (1 - options_.threshold);
  if (better) best_ = value;
  bad_ = better ? 0 : bad_ + 1;
  if (cooling_ > 0) {
    --cooling_;
    bad_ = 0;
  }
  if (bad_ <= options_.patience) return;
  cooling_ = options_.cooldown;
  bad_ = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    rates_[i] = std::max(rates_[i] * options_.factor, options_.min_lr);
    optimizer_.set_learning_rate(rates_[i], i);
  }
}

}  // namespace reprise::optim

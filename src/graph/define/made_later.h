// A value made when it is first asked for. A copy of its owner starts without one.
#pragma once

#include <memory>

namespace reprise_runtime::graph {

template <class T>
class MadeLater {
 public:
  MadeLater() = default;
  MadeLater(MadeLater&&) noexcept = default;
  MadeLater& operator=(MadeLater&&) noexcept = default;
  MadeLater(const MadeLater&) {}
  MadeLater& operator=(const MadeLater&) {
    value_.reset();
    return *this;
  }

  template <class Make>
  T& get(Make&& make) {
    if (!value_) value_ = std::make_unique<T>(make());
    return *value_;
  }
  T* if_made() { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace reprise_runtime::graph

// A value that is made when it is first asked for. A copy starts without one.
#pragma once

#include <memory>

namespace reprise_runtime::graph {

template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(Lazy&&) noexcept = default;
  Lazy& operator=(Lazy&&) noexcept = default;
  Lazy(const Lazy&) {}
  Lazy& operator=(const Lazy&) {
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

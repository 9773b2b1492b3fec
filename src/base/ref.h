// Shared ownership with the count inside the object. T offers retain() and release(); release() of the last reference
// ends the object.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace reprise_runtime {

template <class T>
class Ref {
 public:
  constexpr Ref() = default;
  constexpr Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  // Takes over a reference that was counted already.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }
  friend bool operator==(const Ref& a, std::nullptr_t) { return a.object_ == nullptr; }

  // Returns the pointer without releasing the reference.
  [[nodiscard]] T* detach() { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

// The count for objects on the heap: `class Pool : public Counted<Pool>`, then `make_ref<Pool>(...)`.
template <class T>
class Counted {
 public:
  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  // For lists from which the destructor removes the object. Returns false if the destructor has begun.
  [[nodiscard]] bool retain_if_alive() const {
    uint32_t count = count_.load(std::memory_order_relaxed);
    while (count && !count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) {
    }
    return count != 0;
  }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<const T*>(this);
  }

 protected:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() = default;

 private:
  mutable std::atomic<uint32_t> count_{1};
};

template <class T, class... Arguments>
Ref<T> make_ref(Arguments&&... arguments) {
  return Ref<T>::adopt(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace reprise_runtime

// NVTX for C++: marks and ranges as objects. They do nothing, since no tool attaches to Reprise.
#ifndef REPRISE_NVTX3_NVTX3_HPP
#define REPRISE_NVTX3_NVTX3_HPP

// Programs test these macros for the version of the header.
#define NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_INLINED_V1_0

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  using component_type = std::uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};

struct argb : rgb {
  constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
      : rgb(r, g, b), alpha(a) {}
  component_type alpha;
};

class color {
 public:
  using value_type = std::uint32_t;
  constexpr explicit color(value_type hex) noexcept : value_(hex) {}
  constexpr color(argb c) noexcept
      : value_(value_type(c.alpha) << 24 | value_type(c.red) << 16 | value_type(c.green) << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(255, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return value_; }

 private:
  value_type value_;
};

class category {
 public:
  using id_type = std::uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};

class payload {
 public:
  template <class Number>
  constexpr explicit payload(Number) noexcept {}
};

struct domain {
  struct global {};
  template <class D = global>
  static const domain& get() noexcept {
    static const domain only;
    return only;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

template <class D = domain::global>
class named_category_in : public category {
 public:
  named_category_in(id_type id, const char*) noexcept : category(id) {}
  // The category described by a type with the members `id` and `name`.
  template <class Description>
  static const named_category_in& get() noexcept {
    static const named_category_in only(Description::id, Description::name);
    return only;
  }
};
using named_category = named_category_in<>;

template <class D = domain::global>
class registered_string_in {
 public:
  explicit registered_string_in(const char*) noexcept {}
  explicit registered_string_in(const std::string&) noexcept {}
  // The string described by a type with the member `message`.
  template <class Description>
  static const registered_string_in& get() noexcept {
    static const registered_string_in only(Description::message);
    return only;
  }
};
using registered_string = registered_string_in<>;

class message {
 public:
  constexpr message(const char*) noexcept {}
  constexpr message(const wchar_t*) noexcept {}
  message(const std::string&) noexcept {}
  template <class D>
  constexpr message(const registered_string_in<D>&) noexcept {}
};

// Takes any combination of message, color, category and payload, in any order.
class event_attributes {
 public:
  template <class... Parts>
  constexpr explicit event_attributes(const Parts&...) noexcept {}
};

template <class D = domain::global>
class scoped_range_in {
 public:
  template <class... Parts>
  explicit scoped_range_in(const Parts&...) noexcept {}
  ~scoped_range_in() {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  void* operator new(std::size_t) = delete;
};
using scoped_range = scoped_range_in<>;

template <class D = domain::global>
class unique_range_in {
 public:
  template <class... Parts>
  explicit unique_range_in(const Parts&...) noexcept {}
  unique_range_in(unique_range_in&&) = default;
  unique_range_in& operator=(unique_range_in&&) = default;
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr value_type get_value() const noexcept { return 0; }
};

template <class D = domain::global, class... Parts>
range_handle start_range_in(const Parts&...) noexcept {
  return {};
}
template <class... Parts>
range_handle start_range(const Parts&...) noexcept {
  return {};
}
template <class D = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}

template <class D = domain::global, class... Parts>
void mark_in(const Parts&...) noexcept {}
template <class... Parts>
void mark(const Parts&...) noexcept {}

}  // namespace v1
}  // namespace nvtx3

// The macros exist with and without the version in their names.
#define NVTX3_V1_FUNC_RANGE_IN(D) const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__(__func__)
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, condition) const ::nvtx3::v1::scoped_range_in<D> nvtx3_range_if__(static_cast<bool>(condition))
#define NVTX3_V1_FUNC_RANGE_IF(condition) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, condition)
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IF_IN(D, condition) NVTX3_V1_FUNC_RANGE_IF_IN(D, condition)
#define NVTX3_FUNC_RANGE_IF(condition) NVTX3_V1_FUNC_RANGE_IF(condition)

#endif  // REPRISE_NVTX3_NVTX3_HPP

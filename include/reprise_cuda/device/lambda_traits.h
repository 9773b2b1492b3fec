// nvcc's questions about extended lambdas, i.e. those marked __device__ or __host__ __device__.
//
// A __device__ lambda is a closure type whose operator() host code cannot call. Clang keeps the type of every lambda,
// so all of them have a "preserved return type"; nvcc answers yes only if the return type is written. Clang also makes
// every unmarked lambda __host__ __device__, so that the second question answers yes for unmarked ones, where nvcc
// answers no. The arguments of a generic lambda are unknown: all three answer no.
#pragma once

template <class __F>
__F& __reprise_object();

// A closure's conversion to a function pointer would be callable from the host; a deleted one hides it.
template <class __F, class __R, class... __A>
struct __reprise_without_conversion : __F {
  using __pointer = __R (*)(__A...);
  operator __pointer() const = delete;
};

template <class __Signature>
struct __reprise_call_from_host;
#define __REPRISE_CALL_FROM_HOST__(qualifiers)                                                              \
  template <class __R, class __C, class... __A>                                                             \
  struct __reprise_call_from_host<__R (__C::*)(__A...) qualifiers> {                                        \
    template <class __F>                                                                                    \
    static auto __test(int) -> decltype(__reprise_object<__reprise_without_conversion<__F, __R, __A...>>()( \
                                            static_cast<__A (*)()>(0)()...),                                \
                                        char());                                                            \
    template <class __F>                                                                                    \
    static long __test(...);                                                                                \
  };
__REPRISE_CALL_FROM_HOST__()
__REPRISE_CALL_FROM_HOST__(const)
#if __cplusplus >= 201703L
__REPRISE_CALL_FROM_HOST__(noexcept)
__REPRISE_CALL_FROM_HOST__(const noexcept)
#endif
#undef __REPRISE_CALL_FROM_HOST__

// The size of the result is the answer: 1 callable from the host, 8 not, 2 no class with one operator().
template <class __F>
auto __reprise_probe_call(int)
    -> decltype(__reprise_call_from_host<decltype(&__F::operator())>::template __test<__F>(0));
template <class __F>
short __reprise_probe_call(...);

// Clang spells closure types "(lambda at FILE:LINE:COLUMN)", with or without const before it.
template <class __F>
constexpr bool __reprise_is_closure() {
  constexpr char __start[] = "(lambda at ";
  const char* __name = __PRETTY_FUNCTION__;
  while (*__name && *__name != '=') ++__name;
  while (*__name && *__name != '(') ++__name;
  for (unsigned __i = 0; __start[__i]; ++__i)
    if (__name[__i] != __start[__i]) return false;
  return true;
}

template <class __F, bool = __is_class(__F)>
struct __reprise_lambda {
  static constexpr bool __of_device = false, __of_both = false;
};
template <class __F>
struct __reprise_lambda<__F, true> {
  static constexpr unsigned __call = sizeof(__reprise_probe_call<__F>(0));
  static constexpr bool __of_device = __call == 8 && __reprise_is_closure<__F>();
  static constexpr bool __of_both = __call == 1 && __reprise_is_closure<__F>();
};

#define __nv_is_extended_device_lambda_closure_type(...) (__reprise_lambda<__VA_ARGS__>::__of_device)
#define __nv_is_extended_host_device_lambda_closure_type(...) (__reprise_lambda<__VA_ARGS__>::__of_both)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) (__reprise_lambda<__VA_ARGS__>::__of_device)

#include <reprise/autocast.h>
#include <reprise/error.h>

namespace reprise {
namespace {
thread_local std::optional<DType> dtype_here;
}

std::optional<DType> autocast_dtype() { return dtype_here; }

Autocast::Autocast(DType dtype, bool enabled) : before_(dtype_here) {
  check(dtype == DType::f16 || dtype == DType::bf16, "Autocast to ", dtype, ": f16 or bf16 expected");
  dtype_here = enabled ? std::optional<DType>(dtype) : std::nullopt;
}

Autocast::~Autocast() { dtype_here = before_; }

}  // namespace reprise

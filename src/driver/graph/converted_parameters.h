// Conversion of one kind of node parameters between the two APIs.
#pragma once

#include "diagnose/refuse.h"
#include "driver/entry/entry.h"

namespace reprise_runtime::driver {

// Calls `use(converted)` for the parameters that a pointer from the user gives, as `convert` makes them.
template <class From, class Convert, class Use>
cudaError_t with_converted(const From* from, Convert&& convert, Use&& use) {
  if (!from) return diagnose::refuse(cudaErrorInvalidValue, "the parameters are null");
  return use(convert(*from));
}

// The parameters that a node has: `get(node, runtime parameters)`, converted.
template <class Runtime, class To, class Get, class Convert>
cudaError_t get_converted(CUgraphNode node, To* to, Get&& get, Convert&& convert) {
  if (!to) return diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
  Runtime found{};
  const cudaError_t status = get(node, &found);
  if (status == cudaSuccess) *to = convert(found);
  return status;
}

}  // namespace reprise_runtime::driver

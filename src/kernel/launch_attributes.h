// The attributes of a launch, a stream or a kernel node: a few values by id. Usually there are none, so an empty set is
// one null pointer.
//
// Thread safety: none; the owner guards it.
#pragma once

#include <driver_types.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/status.h"
#include "kernel/function.h"

namespace reprise_runtime::kernel {

class LaunchAttributes {
 public:
  LaunchAttributes() = default;
  LaunchAttributes(LaunchAttributes&&) = default;
  LaunchAttributes& operator=(LaunchAttributes&&) = default;
  LaunchAttributes(const LaunchAttributes& other) { *this = other; }
  LaunchAttributes& operator=(const LaunchAttributes& other) {
    values_ = other.values_ ? std::make_unique<Values>(*other.values_) : nullptr;
    return *this;
  }

  const cudaLaunchAttributeValue* find(cudaLaunchAttributeID id) const {
    if (!values_) return nullptr;
    auto found = std::find_if(values_->begin(), values_->end(), [&](const auto& value) { return value.id == id; });
    return found == values_->end() ? nullptr : &found->val;
  }

  void set(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
    if (!values_) values_ = std::make_unique<Values>();
    if (auto* there = const_cast<cudaLaunchAttributeValue*>(find(id))) {
      *there = value;
    } else {
      values_->push_back({id, {}, value});
    }
  }

  bool empty() const { return !values_ || values_->empty(); }

 private:
  using Values = std::vector<cudaLaunchAttribute>;
  std::unique_ptr<Values> values_;
};

// Says in the log why an access-policy window is refused.
[[nodiscard]] cudaError_t check_policy_window(const cudaAccessPolicyWindow& window);

// Checks and copies the attributes of a launch configuration. `function` is the launched function, null if unknown.
Result<LaunchAttributes> read_launch_attributes(const cudaLaunchConfig_t& config, const Function* function);

}  // namespace reprise_runtime::kernel

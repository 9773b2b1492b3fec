// A list of modules.
#pragma once

#include <reprise/nn/module.h>

namespace reprise::nn {

// Modules by number; it has no forward of its own.
class ModuleList : public Module {
 public:
  template <class Part>
  void push_back(Part&& part) {
    parts_.push_back(add(std::to_string(parts_.size()), std::forward<Part>(part)));
  }
  std::size_t size() const { return parts_.size(); }
  Module& operator[](std::size_t i) const { return *parts_.at(i); }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<std::shared_ptr<Module>> parts_;
};

}  // namespace reprise::nn

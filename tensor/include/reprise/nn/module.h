// Modules: a tree of named children with parameters and buffers.
//
//   struct Net : nn::Module {
//     std::shared_ptr<nn::Linear> first = add("first", nn::Linear(784, 128));
//     std::shared_ptr<nn::Linear> last = add("last", nn::Linear(128, 10));
//     Tensor forward(const Tensor& x) override { return (*last)(relu((*first)(x))); }
//   };
//
// Parameters are tensors and therefore handles: the module, an optimiser and a captured graph share the same memory.
// load_state_dict writes into that memory, so captured graphs use the new values.
#pragma once

#include <reprise/ops.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace reprise::nn {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

class Module {
 public:
  Module() = default;
  virtual ~Module() = default;
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;

  virtual Tensor forward(const Tensor& input);
  Tensor operator()(const Tensor& input) { return forward(input); }

  // In the order of registration, those of children last. A shared tensor appears once, under its first name.
  std::vector<Tensor> parameters() const;
  NamedTensors named_parameters() const;
  NamedTensors named_buffers() const;

  void train(bool training = true);
  void eval() { train(false); }
  bool is_training() const { return training_; }
  void requires_grad_(bool requires_grad);
  void zero_grad(bool set_to_none = true);
  // Converts floating-point parameters and buffers. The handles stay, the memory is new: create optimisers and capture
  // graphs afterwards.
  void to(DType dtype);
  // Calls `function` with all descendants, children first, then with this module.
  void apply(const std::function<void(Module&)>& function);

  // Parameters and buffers by name; not copies.
  std::map<std::string, Tensor> state_dict() const;
  // Copies values into the parameters and buffers. If `strict`, the names must match exactly; shapes always must.
  void load_state_dict(const std::map<std::string, Tensor>& state, bool strict = true);

 protected:
  // Both return their argument, to be stored in a member.
  Tensor add_parameter(std::string name, Tensor value);
  // A tensor that is saved with the state but not trained.
  Tensor add_buffer(std::string name, Tensor value);

 public:
  template <class Part>
  std::shared_ptr<Part> add(std::string name, std::shared_ptr<Part> part) {
    add_part(std::move(name), part);
    return part;
  }
  template <class Part>
  std::shared_ptr<Part> add(std::string name, Part part) {
    return add(std::move(name), std::make_shared<Part>(std::move(part)));
  }

 private:
  // Throws if there is no module, or if this one would contain itself.
  void add_part(std::string name, std::shared_ptr<Module> part);
  bool contains(const Module& other) const;
  void collect(const std::string& prefix, NamedTensors Module::* kind, NamedTensors& found) const;

  NamedTensors parameters_;
  NamedTensors buffers_;
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> parts_;
  bool training_ = true;
};

}  // namespace reprise::nn

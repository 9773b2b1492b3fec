// Paddle's scope: tensors by name, at addresses that stay the same while their sizes do.
#pragma once

#include <reprise/tensor.h>

#include <map>
#include <string>

namespace reprise::paddle {

class Scope;

// Refers to the tensor that a scope has under a name at the time of the call.
class ScopeTensor {
 public:
  // Like Paddle's _copy_from. Creates the tensor if it does not exist; otherwise its address and sizes stay the same.
  void copy_from(const Tensor& value) const;
  Tensor tensor() const;
  operator Tensor() const { return tensor(); }

 private:
  friend class ScopeVariable;
  ScopeTensor(Scope* scope, std::string name) : scope_(scope), name_(std::move(name)) {}

  Scope* scope_;
  std::string name_;
};

class ScopeVariable {
 public:
  ScopeTensor get_tensor() const { return {scope_, name_}; }

 private:
  friend class Scope;
  ScopeVariable(Scope* scope, std::string name) : scope_(scope), name_(std::move(name)) {}

  Scope* scope_;
  std::string name_;
};

// Tensors by name. Thread safety: one thread at a time.
class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  bool has(const std::string& name) const { return tensors_.count(name) != 0; }
  // Throws if there is none; the message lists the names in the scope.
  Tensor tensor(const std::string& name) const;
  // Paddle's form of the same. The scope must outlive the result.
  ScopeVariable var(const std::string& name) { return {this, name}; }

 private:
  friend class Executor;
  friend class ScopeTensor;
  std::map<std::string, Tensor> tensors_;
};

Scope& global_scope();

}  // namespace reprise::paddle

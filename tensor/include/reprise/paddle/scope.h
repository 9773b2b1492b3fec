// Paddle's scope: tensors by name, at addresses that stay while their sizes do.
#pragma once

#include <reprise/tensor.h>

#include <map>
#include <string>

namespace reprise::paddle {

class Scope;

// The tensor that a scope has under a name at the time when it is asked for.
class ScopeTensor {
 public:
  // As Paddle's _copy_from. The tensor stays where it is, so its sizes stay; one that is not there yet is made.
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
  // An error names what there is.
  Tensor tensor(const std::string& name) const;
  // Paddle's way to the same. The scope must outlive what is returned.
  ScopeVariable var(const std::string& name) { return {this, name}; }

 private:
  friend class Executor;
  friend class ScopeTensor;
  std::map<std::string, Tensor> tensors_;
};

Scope& global_scope();

}  // namespace reprise::paddle

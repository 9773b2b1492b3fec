// Paddle's static usage: a program is described once, and an executor runs it, eagerly at first and from some batch on
// as a graph.
//
//   Program program;
//   Variable input = program.data("input", {1});
//   Variable output = program.set_persistable("output", input + 1);
//   Executor executor;
//   for (...) executor.run(program, {{"input", batch}}, {output});           // captured from the second batch on
//
// or with the capture in the user's hands, as in Paddle:
//
//   graph.capture_begin(); executor.run(program); graph.capture_end(); graph.replay();
//   executor.scope().tensor("input").copy_(batch); graph.replay(); ... executor.scope().tensor("output")
//
// or wholly in Paddle's words, with the default programs and the global scope:
//
//   Variable input = static_data("input", {1}), weight = create_parameter("weight", {1}, [](const Sizes& sizes) {
//   return ones(sizes); }); Variable output = input * weight + 1; output.set_persistable(); Executor
//   executor(CUDAPlace{0}); executor.run(default_startup_program()); ScopeTensor result =
//   global_scope().var(output.name()).get_tensor(); executor.run(default_main_program(), {{"input", batch}}); std::cout
//   << Tensor(result);
//
// Unlike there, feeds and fetches work in a captured run: a feed is copied into the variable's tensor, which stays
// where it is, and a fetch is a tensor that holds until the next run.
#pragma once

#include <reprise/cuda_graph.h>
#include <reprise/tensor.h>

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace reprise {

class Program;

// A value in a program.
class Variable {
 public:
  const std::string& name() const { return name_; }
  Program& program() const { return *program_; }

  // As `variable.persistable = True`: the scope has a tensor of the variable's name, at an address that stays.
  const Variable& set_persistable(bool persistable = true) const;

 private:
  friend class Program;
  Variable(Program* program, std::string name) : program_(program), name_(std::move(name)) {}

  Program* program_;
  std::string name_;
};

// What is to be done, in order. Not changed once it runs.
class Program {
 public:
  using Operation = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

  Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Fed by the user. The sizes are those of the first capture; other sizes have graphs of their own.
  Variable data(const std::string& name, const Sizes& sizes, DType dtype = DType::f32);
  // A tensor of the user's, a parameter say.
  Variable parameter(const std::string& name, const Tensor& value);
  // One that the scope has by then under that name: from a startup program, say.
  Variable parameter(const std::string& name);
  // What `operation` computes of `inputs`.
  std::vector<Variable> apply(Operation operation, const std::vector<Variable>& inputs, std::size_t outputs = 1);
  // Work for its effect alone: an optimiser's step, say.
  void effect(std::function<void(const std::vector<Tensor>&)> work, const std::vector<Variable>& inputs = {});
  // The variable has a tensor of that name in the scope, at an address that stays.
  Variable set_persistable(const std::string& name, const Variable& variable);

  std::uint64_t id() const { return id_; }

 private:
  friend class Executor;
  friend class Variable;
  struct Step {
    Operation operation;
    std::vector<std::string> inputs, outputs;
  };
  struct Fed {
    Sizes sizes;
    DType dtype;
  };
  void check_new(const std::string& name) const;
  void check_own(const std::vector<Variable>& variables, const char* asked) const;

  const std::uint64_t id_;
  std::vector<Step> steps_;
  std::map<std::string, Fed> data_;
  std::map<std::string, Tensor> parameters_;
  std::set<std::string> in_scope_;                  // parameters that are found there
  std::map<std::string, std::string> persistable_;  // the scope's name by the variable's
  std::size_t unnamed_ = 0;
};

Variable operator+(const Variable& a, const Variable& b);
Variable operator+(const Variable& a, double b);
Variable operator-(const Variable& a, const Variable& b);
Variable operator-(const Variable& a, double b);
Variable operator*(const Variable& a, const Variable& b);
Variable operator*(const Variable& a, double b);
Variable operator/(const Variable& a, const Variable& b);
Variable operator/(const Variable& a, double b);
// Anything else is program.apply(...).
Variable matmul(const Variable& a, const Variable& b);
Variable relu(const Variable& x);
Variable sum(const Variable& x);
Variable mean(const Variable& x);

// What Paddle calls default_main_program() and default_startup_program(): those of the thread's innermost ProgramGuard,
// or one each for the whole process.
Program& default_main_program();
Program& default_startup_program();

// Makes `main` and `startup` the default programs of this thread for as long as it lives.
class ProgramGuard {
 public:
  ProgramGuard(Program& main, Program& startup);
  ~ProgramGuard();
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;

 private:
  Program *main_, *startup_;  // that were it before
};

// Data of the default main program, as `paddle.static.data`.
Variable static_data(const std::string& name, const Sizes& sizes, DType dtype = DType::f32);
// A parameter of the default main program whose first value the default startup program computes.
Variable create_parameter(const std::string& name, const Sizes& sizes, std::function<Tensor(const Sizes&)> initial);

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

struct ExecutorOptions {
  // The first run, counted from 0, that is a graph; those before are eager and do what is only done once. -1: never.
  int capture_from = 1;
  std::size_t most_graphs =
      8;  // for different sizes of feeds, fetches and tensors in the scope; the one used least recently goes
};

// Thread safety: one thread at a time.
class Executor {
 public:
  // With a scope of its own.
  explicit Executor(ExecutorOptions options = {}) : options_(options), scope_(own_scope_.get()) {}
  // As Paddle has it: with the global scope. The place must be the current device.
  explicit Executor(CUDAPlace place, ExecutorOptions options = {});

  // Within a capture of the user's, the program becomes part of that: feeds are copied at once, and results can be read
  // after a replay.
  std::vector<Tensor> run(Program& program, const std::map<std::string, Tensor>& feed = {},
                          const std::vector<Variable>& fetch = {});

  Scope& scope() { return *scope_; }
  std::size_t graphs() const { return graphs_.size(); }
  // Forgets graphs and their memory.
  void reset() { graphs_.clear(); }

 private:
  struct Captured {
    std::string key;
    std::map<std::string, Tensor> fed;
    std::map<std::string, Tensor> computed;
    std::map<std::string, Tensor> persisted;  // what it writes of the scope
    CUDAGraph graph;
  };

  void feed_scope(Program& program, const std::map<std::string, Tensor>& feed);
  std::map<std::string, Tensor> compute(Program& program, const std::set<std::string>& wanted);
  Captured& captured(Program& program, const std::string& key, const std::set<std::string>& wanted);
  void persist(Program& program, std::map<std::string, Tensor>& computed);
  Tensor fetched(const std::map<std::string, Tensor>& computed, const Variable& variable) const;

  const ExecutorOptions options_;
  std::unique_ptr<Scope> own_scope_ = std::make_unique<Scope>();
  Scope* scope_;
  std::list<Captured> graphs_;  // the one used last is first
  std::map<std::uint64_t, int> runs_;
  PoolHandle pool_;
};

}  // namespace reprise

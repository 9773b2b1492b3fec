// Paddle's static programs: a description of work that an Executor runs.
//
//   Program program;
//   Variable input = program.data("input", {1});
//   Variable output = program.set_persistable("output", input + 1);
#pragma once

#include <reprise/tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace reprise::paddle {

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

}  // namespace reprise::paddle

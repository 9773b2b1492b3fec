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

  // Like `variable.persistable = True`: stores the variable in the scope under its name, at a fixed address.
  const Variable& set_persistable(bool persistable = true) const;

 private:
  friend class Program;
  Variable(Program* program, std::string name) : program_(program), name_(std::move(name)) {}

  Program* program_;
  std::string name_;
};

// A sequence of operations. Must not be changed after its first run.
class Program {
 public:
  using Operation = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

  Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // An input that is fed. `sizes` are those of the first capture; each other shape gets its own graph.
  Variable data(const std::string& name, const Sizes& sizes, DType dtype = DType::f32);
  // A tensor of the user, for example a parameter.
  Variable parameter(const std::string& name, const Tensor& value);
  // A parameter that is in the scope under that name when the program runs, for example from a startup program.
  Variable parameter(const std::string& name);
  // Adds an operation on `inputs` and returns its outputs.
  std::vector<Variable> apply(Operation operation, const std::vector<Variable>& inputs, std::size_t outputs = 1);
  // Adds work without outputs, for example a step of an optimiser.
  void effect(std::function<void(const std::vector<Tensor>&)> work, const std::vector<Variable>& inputs = {});
  // Stores the variable in the scope under `name`, at a fixed address.
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
  std::set<std::string> in_scope_;                  // names of parameters that are looked up in the scope
  std::map<std::string, std::string> persistable_;  // from the variable's name to that in the scope
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
// For other operations use program.apply(...).
Variable matmul(const Variable& a, const Variable& b);
Variable relu(const Variable& x);
Variable sum(const Variable& x);
Variable mean(const Variable& x);

// The programs of the thread's innermost ProgramGuard, or those of the process.
Program& default_main_program();
Program& default_startup_program();

// Makes `main` and `startup` the default programs of this thread within its scope.
class ProgramGuard {
 public:
  ProgramGuard(Program& main, Program& startup);
  ~ProgramGuard();
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;

 private:
  Program *main_, *startup_;  // the previous default programs
};

// An input of the default main program, like `paddle.static.data`.
Variable static_data(const std::string& name, const Sizes& sizes, DType dtype = DType::f32);
// A parameter of the default main program whose initial value the default startup program computes.
Variable create_parameter(const std::string& name, const Sizes& sizes, std::function<Tensor(const Sizes&)> initial);

}  // namespace reprise::paddle

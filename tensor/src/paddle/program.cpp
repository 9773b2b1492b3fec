#include <reprise/error.h>
#include <reprise/ops.h>
#include <reprise/paddle/program.h>

#include <atomic>
#include <utility>

namespace reprise::paddle {
namespace {

std::atomic<std::uint64_t> last_program{0};

template <class Function>
Variable one(const std::vector<Variable>& inputs, Function function) {
  return inputs[0].program().apply(
      [function](const std::vector<Tensor>& in) { return std::vector<Tensor>{function(in)}; }, inputs)[0];
}

}  // namespace

Program::Program() : id_(++last_program) {}

void Program::check_new(const std::string& name) const {
  check(data_.count(name) == 0 && parameters_.count(name) == 0 && in_scope_.count(name) == 0,
        "a program has a variable \"", name, "\" already");
}

Variable Program::data(const std::string& name, const Sizes& sizes, DType dtype) {
  check_new(name);
  data_[name] = {sizes, dtype};
  return Variable(this, name);
}

Variable Program::parameter(const std::string& name, const Tensor& value) {
  check_new(name);
  parameters_[name] = value;
  return Variable(this, name);
}

Variable Program::parameter(const std::string& name) {
  check_new(name);
  in_scope_.insert(name);
  return Variable(this, name);
}

void Program::check_own(const std::vector<Variable>& variables, const char* asked) const {
  for (const Variable& each : variables) {
    check(each.program_ == this, asked, ": the variable \"", each.name(), "\" is of another program");
  }
}

std::vector<Variable> Program::apply(Operation operation, const std::vector<Variable>& inputs, std::size_t outputs) {
  check_own(inputs, "adding an operation to a program");
  Step step;
  step.operation = std::move(operation);
  for (const Variable& each : inputs) step.inputs.push_back(each.name());
  std::vector<Variable> made;
  for (std::size_t i = 0; i < outputs; ++i) {
    made.push_back(Variable(this, "_" + std::to_string(id_) + "." + std::to_string(unnamed_++)));
    step.outputs.push_back(made.back().name());
  }
  steps_.push_back(std::move(step));
  return made;
}

void Program::effect(std::function<void(const std::vector<Tensor>&)> work, const std::vector<Variable>& inputs) {
  apply([work = std::move(work)](const std::vector<Tensor>& in) { return work(in), std::vector<Tensor>(); }, inputs, 0);
}

Variable Program::set_persistable(const std::string& name, const Variable& variable) {
  check_own({variable}, "set_persistable");
  persistable_[variable.name()] = name;
  return variable;
}

const Variable& Variable::set_persistable(bool persistable) const {
  if (persistable) {
    program_->persistable_[name_] = name_;
  } else {
    program_->persistable_.erase(name_);
  }
  return *this;
}

namespace {

thread_local Program *guarded_main = nullptr, *guarded_startup = nullptr;

}  // namespace

Program& default_main_program() {
  static Program* program = new Program;
  return guarded_main ? *guarded_main : *program;
}

Program& default_startup_program() {
  static Program* program = new Program;
  return guarded_startup ? *guarded_startup : *program;
}

ProgramGuard::ProgramGuard(Program& main, Program& startup)
    : main_(std::exchange(guarded_main, &main)), startup_(std::exchange(guarded_startup, &startup)) {}
ProgramGuard::~ProgramGuard() {
  guarded_main = main_;
  guarded_startup = startup_;
}

Variable static_data(const std::string& name, const Sizes& sizes, DType dtype) {
  return default_main_program().data(name, sizes, dtype);
}

Variable create_parameter(const std::string& name, const Sizes& sizes, std::function<Tensor(const Sizes&)> initial) {
  const Variable made = default_main_program().parameter(name);
  Program& startup = default_startup_program();
  const Variable first = startup.apply(
      [=](const std::vector<Tensor>&) {
        Tensor value = initial(sizes);
        check(value.sizes() == sizes, "create_parameter: \"", name, "\" of ", sizes, " begins with a value of ",
              value.sizes());
        return std::vector<Tensor>{std::move(value)};
      },
      {})[0];
  startup.set_persistable(name, first);
  return made;
}

Variable operator+(const Variable& a, const Variable& b) {
  return one({a, b}, [](auto& in) { return in[0] + in[1]; });
}
Variable operator+(const Variable& a, double b) {
  return one({a}, [b](auto& in) { return in[0] + b; });
}
Variable operator-(const Variable& a, const Variable& b) {
  return one({a, b}, [](auto& in) { return in[0] - in[1]; });
}
Variable operator-(const Variable& a, double b) {
  return one({a}, [b](auto& in) { return in[0] - b; });
}
Variable operator/(const Variable& a, const Variable& b) {
  return one({a, b}, [](auto& in) { return in[0] / in[1]; });
}
Variable operator/(const Variable& a, double b) {
  return one({a}, [b](auto& in) { return in[0] / b; });
}
Variable operator*(const Variable& a, const Variable& b) {
  return one({a, b}, [](auto& in) { return in[0] * in[1]; });
}
Variable operator*(const Variable& a, double b) {
  return one({a}, [b](auto& in) { return in[0] * b; });
}
Variable matmul(const Variable& a, const Variable& b) {
  return one({a, b}, [](auto& in) { return matmul(in[0], in[1]); });
}
Variable relu(const Variable& x) {
  return one({x}, [](auto& in) { return relu(in[0]); });
}
Variable sum(const Variable& x) {
  return one({x}, [](auto& in) { return sum(in[0]); });
}
Variable mean(const Variable& x) {
  return one({x}, [](auto& in) { return mean(in[0]); });
}

}  // namespace reprise::paddle

#include <reprise/error.h>
#include <reprise/paddle/executor.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "capture/capture_context.h"
#include "graph/output_of_replay.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

namespace reprise::paddle {

Executor::Executor(CUDAPlace place, ExecutorOptions options)
    : options_(options), own_scope_(nullptr), scope_(&global_scope()) {
  check_place(place, "an Executor");
}

std::vector<Tensor> Executor::run(Program& program, const std::map<std::string, Tensor>& feed,
                                  const std::vector<Variable>& fetch) {
  program.check_own(fetch, "fetching from a program");
  feed_scope(program, feed);
  int run = runs_[program.id()]++;
  bool within_capture = capture_context_of(current_stream()) != nullptr;
  std::set<std::string> wanted;
  for (const Variable& each : fetch) wanted.insert(each.name());
  std::vector<Tensor> results;
  if (within_capture || options_.capture_from < 0 || run < options_.capture_from) {
    std::map<std::string, Tensor> computed = compute(program, wanted);
    for (const Variable& each : fetch) results.push_back(fetched(computed, each));
    return results;
  }
  Captured& graph = captured(program, graph_key(program, wanted), wanted);
  graph.graph.wait_for_replays();
  for (const auto& [name, own] : graph.fed) {
    Tensor now = scope_->tensor(name);
    if (!now.is_same(own)) kernels::copy_(own, now);
  }
  graph.graph.replay();
  // A graph for another shape may have replaced them.
  for (const auto& [name, own] : graph.persisted) scope_->tensors_[name] = own;
  for (const Variable& each : fetch) results.push_back(output_of_replay(fetched(graph.computed, each)));
  return results;
}

std::string Executor::graph_key(const Program& program, const std::set<std::string>& wanted) const {
  std::ostringstream key;
  key << program.id();
  for (const auto& each : program.data_) key << ' ' << scope_->tensor(each.first).sizes();
  // A graph reads tensors of the scope at fixed addresses, and another program may have replaced them.
  for (const std::string& name : program.in_scope_) {
    const Tensor found = scope_->tensor(name);
    key << ' ' << found.data() << found.dtype() << found.sizes() << found.strides();
  }
  for (const std::string& name : wanted) key << ' ' << name;
  return key.str();
}

// A tensor in the scope keeps its address while its sizes stay the same.
void Executor::feed_scope(Program& program, const std::map<std::string, Tensor>& feed) {
  for (const auto& [name, value] : feed) {
    auto fed = program.data_.find(name);
    check(fed != program.data_.end(), "feeding \"", name, "\": the program has no data of that name");
    check(value.dtype() == fed->second.dtype && value.dim() == fed->second.sizes.size(), "feeding \"", name, "\" with ",
          value.sizes(), " ", value.dtype(), ": the program has ", fed->second.sizes, " ", fed->second.dtype);
    OutsideCapture outside;
    Tensor& own = scope_->tensors_[name];
    if (!own.defined() || own.sizes() != value.sizes()) own = kernels::empty(value.sizes(), value.dtype());
    kernels::copy_(own, value);
  }
  for (const auto& [name, data] : program.data_) {
    if (scope_->has(name)) continue;
    OutsideCapture outside;
    Tensor own = kernels::empty(data.sizes, data.dtype);
    kernels::zero_(own);
    scope_->tensors_[name] = own;
  }
  for (const auto& [name, value] : program.parameters_) scope_->tensors_[name] = value;
  for (const std::string& name : program.in_scope_) {
    check(scope_->has(name), "running a program: its parameter \"", name,
          "\" is not in the scope; run its startup program first");
  }
}

std::map<std::string, Tensor> Executor::compute(Program& program, const std::set<std::string>& wanted) {
  std::map<std::string, Tensor> computed;
  auto value_of = [&](const std::string& name) {
    auto at = computed.find(name);
    return at != computed.end() ? at->second : scope_->tensor(name);
  };
  // Values that are not fetched are dropped after their last use, so that their memory can be reused.
  std::map<std::string, std::size_t> last_use;
  for (std::size_t i = 0; i < program.steps_.size(); ++i) {
    for (const std::string& name : program.steps_[i].inputs) last_use[name] = i;
  }
  for (std::size_t number = 0; number < program.steps_.size(); ++number) {
    const Program::Step& step = program.steps_[number];
    std::vector<Tensor> inputs;
    for (const std::string& name : step.inputs) inputs.push_back(value_of(name));
    std::vector<Tensor> outputs = step.operation(inputs);
    check(outputs.size() == step.outputs.size(), "an operation of a program gave ", outputs.size(),
          " tensors instead of ", step.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) computed[step.outputs[i]] = outputs[i];
    for (const std::string& name : step.inputs) {
      if (last_use[name] == number && wanted.count(name) == 0 && program.persistable_.count(name) == 0)
        computed.erase(name);
    }
  }
  persist(program, computed);
  return computed;
}

void Executor::persist(Program& program, std::map<std::string, Tensor>& computed) {
  for (const auto& [variable, name] : program.persistable_) {
    auto at = computed.find(variable);
    if (at == computed.end()) continue;
    Tensor& own = scope_->tensors_[name];
    if (!own.defined() || own.sizes() != at->second.sizes()) {
      OutsideCapture outside;
      own = kernels::empty(at->second.sizes(), at->second.dtype());
      kernels::zero_(own);
    }
    kernels::copy_(own, at->second.detach());
  }
}

Executor::Captured& Executor::captured(Program& program, const std::string& key, const std::set<std::string>& wanted) {
  auto at = std::find_if(graphs_.begin(), graphs_.end(), [&](const Captured& each) { return each.key == key; });
  if (at != graphs_.end()) {
    graphs_.splice(graphs_.begin(), graphs_, at);
    return graphs_.front();
  }
  if (!pool_) pool_ = graph_pool_handle();
  if (graphs_.size() == options_.max_graphs) graphs_.pop_back();
  graphs_.emplace_front();
  Captured& made = graphs_.front();
  made.key = key;
  for (const auto& each : program.data_) made.fed[each.first] = scope_->tensor(each.first);
  try {
    made.graph.capture([&] { made.computed = compute(program, wanted); }, {pool_});
  } catch (...) {
    graphs_.pop_front();
    throw;
  }
  for (const auto& [variable, name] : program.persistable_) {
    if (made.computed.count(variable) != 0) made.persisted[name] = scope_->tensor(name);
  }
  return made;
}

Tensor Executor::fetched(const std::map<std::string, Tensor>& computed, const Variable& variable) const {
  auto at = computed.find(variable.name());
  return at != computed.end() ? at->second : scope_->tensor(variable.name());
}

}  // namespace reprise::paddle

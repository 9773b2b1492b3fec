// Paddle's executor: runs a Program, eagerly at first and from some batch on as a graph.
//
//   Executor executor;
//   for (...) executor.run(program, {{"input", batch}}, {output});           // captured from the second batch on
//
// The user may also capture a run:
//
//   graph.capture_begin(); executor.run(program); graph.capture_end(); graph.replay();
//   executor.scope().tensor("input").copy_(batch); graph.replay(); ... executor.scope().tensor("output")
//
// Unlike in Paddle, feeds and fetches work in a captured run: a feed is copied into the variable's tensor, which keeps
// its address, and a fetch is a tensor that is valid until the next run.
#pragma once

#include <reprise/cuda_graph.h>
#include <reprise/paddle/place.h>
#include <reprise/paddle/program.h>
#include <reprise/paddle/scope.h>
#include <reprise/tensor.h>

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace reprise::paddle {

struct ExecutorOptions {
  // The first run, counted from 0, that is captured; earlier runs are eager. -1: never.
  int capture_from = 1;
  // Graphs for different shapes of feeds, sets of fetches and tensors in the scope; the least recently used is evicted.
  std::size_t max_graphs = 8;
};

// Thread safety: one thread at a time.
class Executor {
 public:
  // With its own scope.
  explicit Executor(ExecutorOptions options = {}) : options_(options), scope_(own_scope_.get()) {}
  // As in Paddle, with the global scope. The place must be the current device.
  explicit Executor(CUDAPlace place, ExecutorOptions options = {});

  // If the current stream is capturing, the program becomes part of that capture: feeds are copied immediately, and
  // results can be read after a replay.
  std::vector<Tensor> run(Program& program, const std::map<std::string, Tensor>& feed = {},
                          const std::vector<Variable>& fetch = {});

  Scope& scope() { return *scope_; }
  std::size_t graphs() const { return graphs_.size(); }
  // Destroys all graphs and releases their memory.
  void reset() { graphs_.clear(); }

 private:
  struct Captured {
    std::string key;
    std::map<std::string, Tensor> fed;
    std::map<std::string, Tensor> computed;
    std::map<std::string, Tensor> persisted;  // tensors of the scope that the graph writes
    CUDAGraph graph;
  };

  void feed_scope(Program& program, const std::map<std::string, Tensor>& feed);
  std::map<std::string, Tensor> compute(Program& program, const std::set<std::string>& wanted);
  // Identifies the graph for these shapes of feeds, tensors of the scope and fetches.
  std::string graph_key(const Program& program, const std::set<std::string>& wanted) const;
  Captured& captured(Program& program, const std::string& key, const std::set<std::string>& wanted);
  void persist(Program& program, std::map<std::string, Tensor>& computed);
  Tensor fetched(const std::map<std::string, Tensor>& computed, const Variable& variable) const;

  const ExecutorOptions options_;
  std::unique_ptr<Scope> own_scope_ = std::make_unique<Scope>();
  Scope* scope_;
  std::list<Captured> graphs_;  // most recently used first
  std::map<std::uint64_t, int> runs_;
  PoolHandle pool_;
};

}  // namespace reprise::paddle

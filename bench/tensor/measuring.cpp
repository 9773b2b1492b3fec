#include "measuring.h"

#include <reprise/factories.h>
#include <reprise/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "graph_nodes.h"

using namespace reprise;

bool with_nodes = false;
double seconds_per_measurement = 0.15;

namespace {

void synchronize() { check_cuda(cudaDeviceSynchronize(), "waiting for the device"); }

// The same numbers in every program, whatever its language.
std::vector<float> wave(std::int64_t count, double frequency, double amplitude) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>(amplitude * std::sin(frequency * static_cast<double>(i)));
  return values;
}

}  // namespace

double time_of(const std::function<void()>& call) {
  auto run = [&](int count) {
    synchronize();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) call();
    synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  run(3);
  const double once = run(5) / 5;
  const int count = std::clamp(static_cast<int>(seconds_per_measurement / once), 3, 2000);
  double best = 1e30;
  for (int round = 0; round < 5; ++round) best = std::min(best, run(count) / count);
  return best * 1e6;
}

Tensor wave_tensor(const Sizes& sizes, double frequency, double amplitude) {
  return from_vector(wave(product(sizes), frequency, amplitude), sizes);
}

void set_waves(const std::vector<Tensor>& parameters) {
  NoGradGuard guard;
  double frequency = 0.37;
  for (Tensor parameter : parameters) {
    parameter.copy_(wave_tensor(parameter.sizes(), frequency, 0.03));
    frequency += 0.11;
  }
}

void report(const std::string& name, const std::function<void()>& eager, const std::function<void()>& replay,
            std::size_t nodes) {
  std::printf("%s eager_us %.3f\n", name.c_str(), time_of(eager));
  std::printf("%s replay_us %.3f\n", name.c_str(), time_of(replay));
  std::printf("%s nodes %zu\n", name.c_str(), nodes);
  std::fflush(stdout);
}

void report(const std::string& name, CUDAGraph& graph, const std::function<void()>& eager) {
  report(name, eager, [&] { graph.replay(); }, graph.node_count());
  if (!with_nodes) return;
  for (const NodeTime& node : node_times(graph.raw_graph()))
    std::printf("%s node %.3f us  %s  (%s)\n", name.c_str(), node.microseconds, node.name.substr(0, 90).c_str(),
                node.shape.c_str());
  std::fflush(stdout);
}

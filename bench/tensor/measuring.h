// Shared by the programs of bench_tensor: timing, numbers that are the same in every language, and output.
#pragma once

#include <reprise/cuda_graph.h>
#include <reprise/tensor.h>

#include <functional>
#include <string>
#include <vector>

extern bool with_nodes;
extern double seconds_per_measurement;

// Microseconds for one call, the best of a few runs of many calls.
double time_of(const std::function<void()>& call);

reprise::Tensor wave_tensor(const reprise::Sizes& sizes, double frequency, double amplitude);
void set_waves(const std::vector<reprise::Tensor>& parameters);

void report(const std::string& name, const std::function<void()>& eager, const std::function<void()>& replay,
            std::size_t nodes);
// Also prints the time of each node if requested.
void report(const std::string& name, reprise::CUDAGraph& graph, const std::function<void()>& eager);

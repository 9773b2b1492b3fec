// The outcome of a training run, its losses and parameters, as text for comparison with another device.
#pragma once

#include <reprise/nn/module.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace reprise::test {

// The loss of every step; for every parameter the number of elements, their mean, their root mean square and some
// evenly spaced elements.
struct TrainingOutcome {
  static constexpr std::size_t samples = 16;
  using Values = std::map<std::string, std::vector<double>>;

  Values values;

  void add_parameters(const nn::NamedTensors& parameters) {
    for (const auto& [name, parameter] : parameters) {
      const std::vector<float> all = parameter.to_vector<float>();
      double sum = 0, squares = 0;
      for (float value : all) {
        sum += value;
        squares += double(value) * value;
      }
      const double count = double(all.size());
      std::vector<double> digest{count, sum / count, std::sqrt(squares / count)};
      for (std::size_t i = 0; i < samples; ++i) digest.push_back(all[i * (all.size() - 1) / (samples - 1)]);
      values[name] = digest;
    }
  }
};

using TrainingOutcomes = std::map<std::string, TrainingOutcome>;

// One line for each: case, name, values.
inline void write(const std::string& path, const TrainingOutcomes& outcomes) {
  std::ofstream file(path);
  for (const auto& [name, outcome] : outcomes) {
    for (const auto& [of, values] : outcome.values) {
      file << name << ' ' << of;
      char text[32];
      for (double value : values) file << (std::snprintf(text, sizeof text, " %.9g", value), text);
      file << '\n';
    }
  }
}

inline TrainingOutcomes read_outcomes(const std::string& path) {
  TrainingOutcomes outcomes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, of;
    words >> name >> of;
    std::vector<double>& values = outcomes[name].values[of];
    for (double value; words >> value;) values.push_back(value);
  }
  return outcomes;
}

}  // namespace reprise::test

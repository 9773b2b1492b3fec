// Typical programs of PyTorch and Paddle users, eagerly and replayed, on the runtime it was built for. Prints lines
// "case quantity value", which compare_with_pytorch.py reads; with --nodes also the time of each graph node.
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/nn.h>
#include <reprise/ops.h>
#include <reprise/optim.h>

#include <cstdio>
#include <cstring>

#include "example_programs.h"
#include "measuring.h"

using namespace reprise;

namespace {

// A linear layer, the sum of squared differences, SGD; with a rate for which these inputs converge.
void training_step() {
  const std::int64_t batch = 64, in = 1024, out = 1024;
  const Tensor x = wave_tensor({batch, in}, 0.71, 1), y = wave_tensor({batch, out}, 1.3, 1);
  nn::Linear model(in, out);
  set_waves(model.parameters());
  optim::SGD optimizer(model.parameters(), 1e-5);
  Tensor loss;
  auto step = [&] {
    optimizer.zero_grad();
    loss = mse_loss(model.forward(x), y, Reduction::sum);
    loss.backward();
    optimizer.step();
  };
  CUDAGraph graph;
  graph.capture(step);
  Tensor replayed_loss = loss;
  for (int i = 0; i < 100; ++i) graph.replay();
  const float after_replays = replayed_loss.item<float>();
  set_waves(model.parameters());
  for (int i = 0; i < 100; ++i) step();
  std::printf("step loss_after_100_replays %.9g\n", after_replays);
  std::printf("step loss_after_100_eager %.9g\n", loss.item<float>());
  report("step", graph, step);
}

// Inference of a model through a graph.
void multilayer_perceptron(std::int64_t batch) {
  nn::Sequential model(nn::Linear(1024, 512), nn::ReLU(), nn::Linear(512, 256), nn::ReLU(), nn::Linear(256, 10));
  set_waves(model.parameters());
  const Tensor input = wave_tensor({batch, 1024}, 0.71, 1);
  NoGradGuard guard;
  Tensor output;
  auto infer = [&] { output = model.forward(input); };
  CUDAGraph graph;
  graph.capture(infer);
  const Tensor replayed = output;
  graph.replay();
  const std::string name = "mlp" + std::to_string(batch);
  std::printf("%s output_sum %.9g\n", name.c_str(), sum(replayed).item<float>());
  report(name, graph, infer);
}

void convolution(const char* name, const Sizes& images, const Sizes& filters, bool with_bias) {
  const Tensor x = wave_tensor(images, 0.71, 1), weight = wave_tensor(filters, 0.37, 1);
  const Tensor bias = with_bias ? wave_tensor({filters[0]}, 0.5, 1) : Tensor();
  NoGradGuard guard;
  Tensor output;
  auto convolve = [&] { output = conv2d(x, weight, bias); };
  CUDAGraph graph;
  graph.capture(convolve);
  const Tensor replayed = output;
  graph.replay();
  std::printf("%s output_sum %.9g\n", name, sum(replayed * replayed).item<float>());
  report(name, graph, convolve);
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--nodes") == 0) with_nodes = true;
    if (std::strcmp(arguments[i], "--quick") == 0) seconds_per_measurement = 0.01;
  }
  cudaDeviceProp properties;
  check_cuda(cudaGetDeviceProperties(&properties, 0), "asking for the device");
  std::printf("device name %s\n", properties.name);
  training_step();
  multilayer_perceptron(1);
  multilayer_perceptron(32);
  convolution("conv", {4, 3, 32, 32}, {16, 3, 3, 3}, false);
  convolution("conv_large", {16, 3, 224, 224}, {64, 3, 3, 3}, true);
  managed_layer();
  batch_sizes();
  paddle_dynamic();
  paddle_static();
  transformer_step();
  return 0;
}

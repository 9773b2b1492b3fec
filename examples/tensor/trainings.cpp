// Three trainings: a convolutional network on drawn digits, a GPT on characters, and a variational autoencoder. Each
// step is captured once and replayed. Data and initial values are the same as in trainings.py, and the losses must be
// those that PyTorch printed there.
#include <reprise/reprise.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace reprise;

namespace {

constexpr int steps = 30;
constexpr int shown[] = {0, 9, 19, 29};

Tensor wave(const Sizes& sizes, double frequency, double amplitude) {
  std::vector<float> values(static_cast<std::size_t>(product(sizes)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(amplitude * std::sin(frequency * static_cast<double>(i) + 0.3));
  return from_vector(values, sizes);
}

void set_waves(const nn::Module& model, double amplitude) {
  NoGradGuard guard;
  int number = 0;
  for (Tensor parameter : model.parameters())
    parameter.copy_(wave(parameter.sizes(), 0.37 + 0.11 * number++, amplitude));
}

// Forty images of the digits on a display of seven segments, with some noise.
Tensor digits() {
  struct Rectangle {
    int top, left, bottom, right;
  };
  const std::map<char, Rectangle> places{{'a', {1, 4, 3, 12}},  {'g', {7, 4, 9, 12}},  {'d', {12, 4, 14, 12}},
                                         {'f', {2, 4, 9, 6}},   {'b', {2, 10, 9, 12}}, {'e', {7, 4, 14, 6}},
                                         {'c', {7, 10, 14, 12}}};
  const char* segments[] = {"abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg"};
  std::vector<float> pixels(40 * 256);
  for (int n = 0; n < 40; ++n) {
    for (const char* segment = segments[n % 10]; *segment; ++segment) {
      const Rectangle& place = places.at(*segment);
      for (int row = place.top; row < place.bottom; ++row)
        for (int column = place.left; column < place.right; ++column)
          pixels[static_cast<std::size_t>(n * 256 + row * 16 + column)] = 1;
    }
  }
  return from_vector(pixels, {40, 1, 16, 16}) + wave({40, 1, 16, 16}, 0.77, 0.2);
}

// Prints the losses and compares them with PyTorch's.
bool agree(const char* name, const std::vector<float>& losses, const std::vector<float>& expected) {
  bool all = true;
  std::printf("%s:", name);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float loss = losses[static_cast<std::size_t>(shown[i])];
    all = all && std::abs(loss - expected[i]) <= 2e-3f * std::abs(expected[i]);
    std::printf(" %g", loss);
  }
  std::printf(all ? ", as PyTorch's\n" : ", unlike PyTorch's\n");
  return all;
}

template <class Step>
std::vector<float> losses_of(CUDAGraph& graph, Tensor& loss, const Step& before_step) {
  std::vector<float> losses;
  for (int i = 0; i < steps; ++i) {
    before_step(i);
    graph.replay();
    losses.push_back(loss.item<float>());
  }
  return losses;
}

bool train_cnn() {
  const Tensor images = digits(), classes = remainder(arange(40), 10);
  nn::Conv2dOptions padded;
  padded.padding = 1;
  nn::Sequential model{nn::Conv2d(1, 8, 3, padded),
                       nn::ReLU(),
                       nn::MaxPool2d(2),
                       nn::Conv2d(8, 16, 3, padded),
                       nn::ReLU(),
                       nn::MaxPool2d(2),
                       nn::Flatten(),
                       nn::Linear(256, 10)};
  set_waves(model, 0.15);
  optim::Adam optimizer(model.parameters(), 0.005);
  Tensor loss;
  CUDAGraph graph;
  graph.capture([&] {
    optimizer.zero_grad();
    loss = cross_entropy(model(images), classes);
    loss.backward();
    optimizer.step();
  });
  return agree("cnn", losses_of(graph, loss, [](int) {}), {2.30785f, 1.53765f, 0.215356f, 0.00781332f});
}

constexpr std::int64_t size = 32, heads = 4, context = 16, batch = 8, letters = 27;

struct Block : nn::Module {
  std::shared_ptr<nn::LayerNorm> first = add("first", nn::LayerNorm(size)), second = add("second", nn::LayerNorm(size));
  std::shared_ptr<nn::MultiheadAttention> attention =
      add("attention", nn::MultiheadAttention(size, heads, {0, true, true}));
  std::shared_ptr<nn::Sequential> network =
      add("network", nn::Sequential{nn::Linear(size, 4 * size), nn::GELU(), nn::Linear(4 * size, size)});
  Tensor forward(const Tensor& x) override {
    const Tensor attended = x + (*attention)((*first)(x));
    return attended + (*network)((*second)(attended));
  }
};

struct GPT : nn::Module {
  std::shared_ptr<nn::Embedding> characters = add("characters", nn::Embedding(letters, size)),
                                 places = add("places", nn::Embedding(context, size));
  std::shared_ptr<Block> one = add("one", Block()), two = add("two", Block());
  std::shared_ptr<nn::LayerNorm> norm = add("norm", nn::LayerNorm(size));
  std::shared_ptr<nn::Linear> head = add("head", nn::Linear(size, letters));
  Tensor counting = arange(context);
  Tensor forward(const Tensor& codes) override {
    return (*head)((*norm)((*two)((*one)((*characters)(codes) + (*places)(counting)))));
  }
};

bool train_gpt() {
  const std::string text =
      "the quick brown fox jumps over the lazy dog and the dog sleeps on while the fox runs through the forest again ";
  std::vector<std::int64_t> seen, next;
  for (std::int64_t i = 0; i < batch * context; ++i) {
    const auto at = static_cast<std::size_t>(i / context * 11 + i % context);
    seen.push_back(text[at] == ' ' ? 0 : text[at] - 96);
    next.push_back(text[at + 1] == ' ' ? 0 : text[at + 1] - 96);
  }
  const Tensor codes = from_vector(seen, {batch, context}), following = from_vector(next);
  GPT model;
  set_waves(model, 0.1);
  optim::AdamW optimizer(model.parameters(), 3e-3);
  Tensor loss;
  CUDAGraph graph;
  graph.capture([&] {
    optimizer.zero_grad();
    loss = cross_entropy(model(codes).reshape(batch * context, letters), following);
    loss.backward();
    clip_grad_norm_(model.parameters(), 1.0);
    optimizer.step();
  });
  return agree("gpt", losses_of(graph, loss, [](int) {}), {3.29929f, 3.17863f, 3.04446f, 2.83086f});
}

struct VAE : nn::Module {
  std::shared_ptr<nn::Linear> encoder = add("encoder", nn::Linear(256, 64)), mean = add("mean", nn::Linear(64, 8)),
                              spread = add("spread", nn::Linear(64, 8)), decoder = add("decoder", nn::Linear(8, 64)),
                              pixels = add("pixels", nn::Linear(64, 256));

  // The loss: how unlike the result is, and how far the latent distribution is from the normal one.
  Tensor loss(const Tensor& x, const Tensor& noise) {
    const Tensor hidden = silu((*encoder)(x)), centre = (*mean)(hidden), logarithm = (*spread)(hidden);
    const Tensor latent = centre + (logarithm * 0.5).exp() * noise;
    const Tensor result = (*pixels)(silu((*decoder)(latent)));
    const Tensor likeness = binary_cross_entropy_with_logits(result, x, {}, {}, Reduction::sum);
    const Tensor divergence = (1 + logarithm - centre.pow(2) - logarithm.exp()).sum() * -0.5;
    return (likeness + divergence) / 40;
  }
};

bool train_vae() {
  const Tensor x = digits().reshape(40, 256).clamp(0, 1);
  Tensor noise = zeros({40, 8}), loss;
  VAE model;
  set_waves(model, 0.1);
  optim::Adam optimizer(model.parameters(), 0.003);
  CUDAGraph graph;
  graph.capture([&] {
    optimizer.zero_grad();
    loss = model.loss(x, noise);
    loss.backward();
    optimizer.step();
  });
  auto draw = [&](int step) { noise.copy_(wave({40, 8}, 0.91 + 0.07 * step, 1.4)); };
  return agree("vae", losses_of(graph, loss, draw), {178.06f, 166.788f, 114.15f, 97.291f});
}

}  // namespace

int main() {
  const bool cnn = train_cnn(), gpt = train_gpt(), vae = train_vae();
  return cnn && gpt && vae ? EXIT_SUCCESS : EXIT_FAILURE;
}

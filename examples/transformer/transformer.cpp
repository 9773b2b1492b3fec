// Trains a small transformer to continue a text, character by character. The whole training step is captured once:
// forward with dropout, loss, backward, gradient clipping, AdamW and a learning-rate schedule. Its replays must give
// losses that are bitwise equal to those of eager training.
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/nn.h>
#include <reprise/ops.h>
#include <reprise/optim.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>

using namespace reprise;

namespace {

constexpr std::int64_t size = 64, heads = 4, context = 32, batch = 16, steps = 40;
constexpr double dropout_probability = 0.1;

struct Text {
  std::string alphabet;
  std::vector<std::int64_t> codes;

  explicit Text(const std::string& path) {
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    check(text.size() > context + 1, "reading ", path, ": too short to learn from");
    alphabet = text;
    std::sort(alphabet.begin(), alphabet.end());
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
    for (char character : text) codes.push_back(static_cast<std::int64_t>(alphabet.find(character)));
  }
  std::int64_t classes() const { return static_cast<std::int64_t>(alphabet.size()); }
};

// Excerpts of the text, and the next character at each position.
struct Batch {
  std::vector<std::int64_t> seen, next;

  Batch(const Text& text, std::mt19937& random) {
    std::uniform_int_distribution<std::size_t> start(0, text.codes.size() - context - 1);
    for (std::int64_t i = 0; i < batch; ++i) {
      const auto from = text.codes.begin() + static_cast<std::ptrdiff_t>(start(random));
      seen.insert(seen.end(), from, from + context);
      next.insert(next.end(), from + 1, from + context + 1);
    }
  }
};

struct Block : nn::Module {
  std::shared_ptr<nn::LayerNorm> before_attention = add("before_attention", nn::LayerNorm(size));
  std::shared_ptr<nn::MultiheadAttention> attention =
      add("attention", nn::MultiheadAttention(size, heads, {dropout_probability, true, true}));
  std::shared_ptr<nn::LayerNorm> before_network = add("before_network", nn::LayerNorm(size));
  std::shared_ptr<nn::Sequential> network =
      add("network", nn::Sequential{nn::Linear(size, 4 * size), nn::ReLU(), nn::Linear(4 * size, size),
                                    nn::Dropout(dropout_probability)});

  Tensor forward(const Tensor& x) override {
    const Tensor attended = x + (*attention)((*before_attention)(x));
    return attended + (*network)((*before_network)(attended));
  }
};

struct Transformer : nn::Module {
  std::shared_ptr<nn::Embedding> characters;
  std::shared_ptr<nn::Embedding> places = add("places", nn::Embedding(context, size));
  std::shared_ptr<Block> first = add("first", Block()), second = add("second", Block());
  std::shared_ptr<nn::LayerNorm> norm = add("norm", nn::LayerNorm(size));
  std::shared_ptr<nn::Linear> head;
  Tensor counting = add_buffer("counting", arange(context));

  explicit Transformer(std::int64_t classes)
      : characters(add("characters", nn::Embedding(classes, size))), head(add("head", nn::Linear(size, classes))) {}

  // Codes [batch, context] to logits [batch * context, classes].
  Tensor forward(const Tensor& codes) override {
    const Tensor x = (*characters)(codes) + (*places)(counting);
    return (*head)((*norm)((*second)((*first)(x)))).reshape({batch * context, head->weight.size(0)});
  }
};

struct Training {
  std::vector<float> losses;
  double milliseconds_per_step = 0;
  std::size_t nodes = 0;
};

Training train(const Text& text, bool captured) {
  manual_seed(1);
  Transformer model(text.classes());
  optim::AdamW optimizer(model.parameters(), 3e-3);
  optim::LRScheduler scheduler(optimizer, optim::Schedule().warmup(5, 0.1).cosine(steps));
  const Tensor seen = zeros({batch, context}, DType::i64), next = zeros({batch * context}, DType::i64);
  Tensor loss;
  auto step = [&] {
    optimizer.zero_grad();
    loss = cross_entropy(model(seen), next);
    loss.backward();
    clip_grad_norm_(model.parameters(), 1.0);
    optimizer.step();
    scheduler.step();
  };
  CUDAGraph graph;
  if (captured) graph.capture(step);

  Training result;
  std::mt19937 random(2);
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < steps; ++i) {
    const Batch data(text, random);
    Tensor(seen).copy_(from_vector(data.seen, {batch, context}));
    Tensor(next).copy_(from_vector(data.next));
    captured ? graph.replay() : step();
    result.losses.push_back(loss.item<float>());
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  result.milliseconds_per_step = taken.count() / static_cast<double>(steps);
  result.nodes = captured ? graph.node_count() : 0;
  return result;
}

}  // namespace

int main() {
  const Text text(TEXT_FILE);
  const Training eager = train(text, false), replayed = train(text, true);
  for (std::size_t i = 0; i < eager.losses.size(); i += 5)
    std::printf("step %2zu: loss %.6f eager, %.6f replayed\n", i, eager.losses[i], replayed.losses[i]);
  std::printf("last loss %.6f; a step takes %.3f ms eager, %.3f ms replayed (%zu nodes)\n", replayed.losses.back(),
              eager.milliseconds_per_step, replayed.milliseconds_per_step, replayed.nodes);
  if (eager.losses != replayed.losses) return std::puts("the curves differ"), 1;
  if (!(replayed.losses.back() < 0.8f * replayed.losses.front())) return std::puts("nothing was learnt"), 1;
  return 0;
}

#include "plan.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

namespace reprise_cudnn {
namespace {

// Work for which another piece pays off: some 20 us.
constexpr double least_work = 2e6;
constexpr int channel_grain = 16;

int pieces_for(const Shape& shape, int cores) {
  // Two for each core, so that a core that is busy elsewhere delays less.
  const double wanted = std::min(2.0 * cores, shape.operations() / least_work);
  return std::max(1, static_cast<int>(wanted));
}

int64_t image_numbers(const Shape& s) { return int64_t{s.c} * s.h * s.w; }
int64_t result_numbers(const Shape& s) { return int64_t{s.k} * s.out_h() * s.out_w(); }

class PlanMaker {
 public:
  PlanMaker(const Shape& shape, const Options& options) : shape_(shape), options_(options) {}

  std::unique_ptr<Plan> make(int cores) {
    auto plan = std::make_unique<Plan>();
    const int wanted = pieces_for(shape_, cores);
    if (shape_.n == 1 && wanted > 1 && divides_channels()) {
      by_channels(*plan, wanted);
    } else {
      by_images(*plan, std::min(wanted, shape_.n));
    }
    plan->work = shape_.operations() / static_cast<double>(plan->pieces.size());
    if (options_.direction == Direction::filter && plan->pieces.size() > 1) plan->sum_length = shape_.filter_numbers();
    return plan;
  }

 private:
  bool divides_channels() const {
    return options_.direction == Direction::forward && shape_.groups == 1 && shape_.k >= 2 * channel_grain;
  }

  // Pieces have one of two sizes and share the primitive for theirs.
  const Primitive* primitive(const Shape& shape) {
    auto& found = primitives_[shape.key()];
    if (!found) found = new Primitive(shape, options_);
    return found;
  }

  void by_images(Plan& plan, int count) {
    for (int i = 0; i < count; ++i) {
      const int begin = static_cast<int>(int64_t{shape_.n} * i / count),
                end = static_cast<int>(int64_t{shape_.n} * (i + 1) / count);
      Shape part = shape_;
      part.n = end - begin;
      const int64_t image = begin * image_numbers(shape_), result = begin * result_numbers(shape_);
      switch (options_.direction) {
        case Direction::forward:
          plan.pieces.push_back({primitive(part), image, 0, 0, result});
          break;
        case Direction::data:
          plan.pieces.push_back({primitive(part), result, 0, 0, image});
          break;
        case Direction::filter:
          plan.pieces.push_back({primitive(part), image, result, 0, count > 1 ? i * shape_.filter_numbers() : 0});
          break;
      }
    }
  }

  void by_channels(Plan& plan, int wanted) {
    const int grains = (shape_.k + channel_grain - 1) / channel_grain, count = std::min(wanted, grains);
    for (int i = 0; i < count; ++i) {
      const int begin = std::min(shape_.k, grains * i / count * channel_grain),
                end = std::min(shape_.k, grains * (i + 1) / count * channel_grain);
      Shape part = shape_;
      part.k = end - begin;
      plan.pieces.push_back({primitive(part), 0, begin * (shape_.filter_numbers() / shape_.k), begin,
                             int64_t{begin} * shape_.out_h() * shape_.out_w()});
    }
  }

  const Shape shape_;
  const Options options_;
  std::map<decltype(Shape().key()), const Primitive*> primitives_;
};

}  // namespace

const Plan& plan_of(const Shape& shape, const Options& options, int cores) {
  using Key = std::tuple<decltype(shape.key()), Direction, bool, bool, int>;
  static std::mutex mutex;
  static auto* const plans = new std::map<Key, std::unique_ptr<Plan>>;  // guarded by mutex
  const Key key{shape.key(), options.direction, options.bias, options.relu, cores};
  // The plan that this thread used last, since a program repeats few shapes.
  thread_local std::optional<std::pair<Key, const Plan*>> last;
  if (last && last->first == key) return *last->second;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Plan>& found = (*plans)[key];
  if (!found) found = PlanMaker(shape, options).make(cores);
  last.emplace(key, found.get());
  return *found;
}

}  // namespace reprise_cudnn

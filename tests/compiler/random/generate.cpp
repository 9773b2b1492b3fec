// Generates programs whose result does not depend on the order of threads: between two barriers threads write distinct
// shared words, and read other threads' words only after a barrier.
#include <iterator>
#include <random>

#include "program.h"

namespace spmd {
namespace {

using Kind = Statement::Kind;

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program run() {
    Program program;
    program.shape = shape();
    for (uint32_t& parameter : program.parameters) parameter = small_or_any();
    program.body = block(Together::block, 0, 3 + pick(6));
    return program;
  }

 private:
  // The threads that run a statement together.
  enum class Together { block, warp, nobody };

  unsigned pick(unsigned count) { return unsigned(random_() % count); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  uint32_t small_or_any() { return chance(70) ? pick(12) : uint32_t(random_()); }

  Shape shape() {
    static const unsigned sizes[][2] = {{32, 1}, {64, 1}, {128, 1}, {256, 1}, {32, 4}, {64, 2}, {96, 1},
                                        {1, 1},  {7, 1},  {50, 1},  {100, 1}, {16, 4}, {8, 8},  {5, 9}};
    const unsigned which = pick(chance(70) ? 7 : 14);
    Shape shape{1 + pick(3), sizes[which][0], sizes[which][1]};
    whole_warps_ = shape.threads() % 32 == 0;
    exits_ = chance(25);
    return shape;
  }

  // ---- expressions ----
  Expression leaf(Leaf kind, uint32_t number = 0) { return {Expression::Kind::leaf, kind, Operator::add, number, {}}; }

  Expression uniform_leaf() {
    switch (pick(loops_ > 0 ? 6 : 5)) {
      case 0:
        return leaf(Leaf::constant, small_or_any());
      case 1:
        return leaf(Leaf::uniform_variable, pick(uniform_variables));
      case 2:
        return leaf(Leaf::block_index);
      case 3:
        return leaf(Leaf::parameter, pick(2));
      case 4:
        return leaf(Leaf::block_threads);
      default:
        return leaf(Leaf::counter, pick(loops_));
    }
  }

  Expression any_leaf() {
    switch (pick(8)) {
      case 0:
        return leaf(Leaf::tid_x);
      case 1:
        return leaf(Leaf::tid_y);
      case 2:
        return leaf(Leaf::thread);
      case 3:
        return leaf(Leaf::lane);
      case 4:
        return uniform_leaf();
      default:
        return leaf(Leaf::thread_variable, pick(thread_variables));
    }
  }

  Expression binary(Expression a, Expression b) {
    return {Expression::Kind::binary, Leaf::constant, Operator(pick(17)), 0, {std::move(a), std::move(b)}};
  }

  Expression uniform_value(unsigned depth = 2) {
    return depth == 0 || chance(40) ? uniform_leaf() : binary(uniform_value(depth - 1), uniform_value(depth - 1));
  }

  // Uniform in a warp, divergent in a block.
  Expression warp_value() { return binary(leaf(Leaf::warp), uniform_value(1)); }

  Expression input_by_counter(unsigned counter) {
    Expression made;
    made.kind = chance(60) ? Expression::Kind::input_in_order : Expression::Kind::input_at_counter;
    made.number = 1u << pick(4);
    made.operands = {leaf(Leaf::counter, counter)};
    return made;
  }

  Expression value(unsigned depth = 3) {
    if (depth == 0 || chance(30)) return any_leaf();
    if (loops_ > 0 && chance(15)) return input_by_counter(pick(loops_));
    Expression made;
    switch (pick(8)) {
      case 0:
        made.kind = Expression::Kind::select;
        made.operands = {value(depth - 1), value(depth - 1), value(depth - 1)};
        return made;
      case 1:
        made.kind = Expression::Kind::input;
        made.operands = {value(depth - 1)};
        return made;
      case 2:
        made.kind = Expression::Kind::local;
        made.operands = {value(depth - 1)};
        return made;
      default:
        return binary(value(depth - 1), value(depth - 1));
    }
  }

  // True for one thread, or for one thread of each row.
  Expression lone_thread() {
    static const Leaf places[] = {Leaf::thread, Leaf::tid_x, Leaf::tid_y, Leaf::lane};
    Expression made = binary(leaf(places[pick(4)]), leaf(Leaf::constant, chance(50) ? 0 : pick(64)));
    made.op = Operator::eq;
    return made;
  }

  Expression condition(Together level) {
    return level == Together::block ? uniform_value() : level == Together::warp ? warp_value() : value();
  }

  // ---- statements ----
  Block block(Together together, unsigned depth, unsigned length) {
    Block made;
    for (unsigned i = 0; i < length; ++i) add(made, together, depth);
    return made;
  }

  void add(Block& to, Together together, unsigned depth) {
    const unsigned choice = pick(100);
    if (choice < 25) return assign(to, together);
    if (choice < 30) return for_lone_thread(to);
    if (choice < 43 && depth < 3) return branch(to, together, depth);
    if (choice < 46 && depth < 2) return stride_loop(to, depth);
    if (choice < 49 && depth < 2) return accumulate(to, depth);
    if (choice < 54 && depth < 2) return loop(to, together, depth);
    if (choice < 57) return store_local(to);
    if (choice < 60 && exits_ && divergent_loops_ == 0) return leave(to);
    if (choice < 75 && together == Together::block) return block_operation(to);
    if (choice < 95 && together != Together::nobody) return warp_operation(to);
    assign(to, together);
  }

  Statement& push(Block& to, Kind kind) {
    Statement statement{};
    statement.kind = kind;
    to.push_back(std::move(statement));
    return to.back();
  }

  void assign(Block& to, Together together) {
    const bool uniform = together == Together::block && chance(25);
    Statement& made = push(to, uniform ? Kind::assign_uniform : Kind::assign);
    made.target = pick(uniform ? uniform_variables : thread_variables);
    made.value = uniform ? uniform_value() : value();
  }

  // The condition is uniform among the threads that run the branch, or more divergent.
  Together narrower(Together together) {
    const unsigned choice = pick(10);
    if (together == Together::block && choice < 4) return Together::block;
    if (together != Together::nobody && whole_warps_ && choice < 6) return Together::warp;
    return Together::nobody;
  }

  void branch(Block& to, Together together, unsigned depth) {
    const Together inside = narrower(together);
    Statement& made = push(to, Kind::branch);
    made.value = condition(inside);
    Block then = block(inside, depth + 1, 1 + pick(4));
    Block other = chance(50) ? block(inside, depth + 1, 1 + pick(3)) : Block();
    to.back().body = std::move(then);
    to.back().other = std::move(other);
  }

  void loop(Block& to, Together together, unsigned depth) {
    if (loops_ >= 4) return assign(to, together);
    const Together inside = narrower(together);
    Statement& made = push(to, Kind::loop);
    made.value = condition(inside);
    made.target = loops_++;
    divergent_loops_ += inside == Together::nobody;
    Block body;
    const unsigned length = 1 + pick(4);
    for (unsigned i = 0; i < length; ++i) {
      add(body, inside, depth + 1);
      if (chance(15)) push(body, chance(50) ? Kind::leave_loop : Kind::next_turn).value = condition(inside);
    }
    divergent_loops_ -= inside == Together::nobody;
    to.back().body = std::move(body);
    // The counter is not read after its loop.
    --loops_;
  }

  void for_lone_thread(Block& to) {
    push(to, Kind::branch).value = lone_thread();
    Block body;
    for (unsigned n = 1 + pick(2); n > 0; --n) chance(70) ? store_local(body) : assign(body, Together::nobody);
    to.back().body = std::move(body);
  }

  void stride_loop(Block& to, unsigned depth) {
    if (loops_ >= 4) return assign(to, Together::nobody);
    Statement& made = push(to, Kind::stride_loop);
    made.value = chance(60) ? leaf(Leaf::constant, pick(longest_stride_loop)) : uniform_value();
    made.step = pick(4);
    made.mode = pick(2);
    made.start = pick(made.mode ? 4 : 5);  // the input has no negative indices
    made.target = loops_++;
    ++divergent_loops_;
    Block body = block(Together::nobody, depth + 1, 1 + pick(3));
    --divergent_loops_;
    to.back().body = std::move(body);
    --loops_;
  }

  // if (place < limit) { ..; for (..) variable += input; .. }, with the branch or without
  void accumulate(Block& to, unsigned depth) {
    if (loops_ >= 4) return assign(to, Together::nobody);
    Block made;
    if (chance(50)) assign(made, Together::nobody);
    Statement loop{};
    loop.kind = chance(50) ? Kind::loop : Kind::stride_loop;
    loop.value = chance(60) ? leaf(Leaf::constant, pick(longest_stride_loop)) : uniform_value();
    loop.step = pick(4);
    loop.mode = pick(2);
    loop.start = pick(loop.mode ? 4 : 5);  // the input has no negative indices
    loop.target = loops_++;
    ++divergent_loops_;
    Statement add{};
    add.kind = Kind::assign;
    add.target = pick(thread_variables);
    add.value = binary(leaf(Leaf::thread_variable, add.target), input_by_counter(loops_ - 1));
    loop.body.push_back(std::move(add));
    if (chance(40)) assign(loop.body, Together::nobody);
    if (chance(20) && depth < 1) accumulate(loop.body, depth + 1);
    --divergent_loops_;
    --loops_;
    made.push_back(std::move(loop));
    if (chance(50)) assign(made, Together::nobody);
    if (chance(30)) return void(std::move(made.begin(), made.end(), std::back_inserter(to)));
    Statement guard{};
    guard.kind = Kind::branch;
    guard.value = place_below_limit();
    if (chance(30)) {
      guard.value = binary(std::move(guard.value), place_below_limit());
      guard.value.op = Operator::bit_and;
    }
    guard.body = std::move(made);
    if (chance(20)) assign(guard.other, Together::nobody);
    to.push_back(std::move(guard));
  }

  Expression place_below_limit() {
    static const Leaf places[] = {Leaf::thread, Leaf::tid_x, Leaf::tid_y, Leaf::lane};
    Expression place = leaf(places[pick(4)]);
    if (chance(30)) place = binary(std::move(place), uniform_leaf()), place.op = Operator::add;
    Expression limit = chance(60) ? leaf(Leaf::constant, pick(80)) : uniform_value(1);
    Expression made =
        chance(80) ? binary(std::move(place), std::move(limit)) : binary(std::move(limit), std::move(place));
    made.op = chance(50) ? Operator::ult : Operator::slt;
    return made;
  }

  void store_local(Block& to) {
    Statement& made = push(to, Kind::store_local);
    made.value = value();
    made.value2 = value();
  }

  void leave(Block& to) { push(to, Kind::leave_kernel).value = value(); }

  void block_operation(Block& to) {
    if (chance(20)) {
      Statement& made = push(to, Kind::barrier_reduce);
      made.target = pick(thread_variables);
      made.mode = pick(3);
      made.value = value();
      return;
    }
    if (chance(20)) {
      const unsigned counter = pick(2);
      Statement& add = push(to, Kind::add_to_counter);
      add.target = counter;
      add.value = value();
      push(to, Kind::barrier);
      Statement& read = push(to, Kind::read_counter);
      read.target = pick(thread_variables);
      read.number = counter;
      push(to, Kind::barrier);
      return;
    }
    const unsigned array = pick(shared_arrays);
    Statement& store = push(to, Kind::store_shared);
    store.target = array;
    store.number = pick(8);
    store.value = value();
    push(to, Kind::barrier);
    for (unsigned n = 1 + pick(2); n > 0; --n) {
      Statement& load = push(to, Kind::load_shared);
      load.target = pick(thread_variables);
      load.number = array;
      load.value = value();
    }
    push(to, Kind::barrier);
  }

  void warp_operation(Block& to) {
    if (chance(10)) {
      push(to, Kind::sync_warp);
      return;
    }
    // A lane that does not exist or has exited has no value.
    const bool all_there = whole_warps_ && !exits_;
    const bool masked = all_there && chance(15);
    Statement& made = push(to, masked ? Kind::masked_warp : Kind::warp);
    made.target = pick(thread_variables);
    made.value = value();
    made.value2 = value();
    made.operation = WarpOperation(all_there && !masked && chance(50) ? 0 : 1 + pick(masked ? 6 : 7));
    made.mode = made.operation == WarpOperation::shuffle ? pick(4) : pick(8);
    made.width = chance(70) ? 32 : 4u << pick(3);
    if (made.operation == WarpOperation::shuffle && chance(60)) made.value2 = leaf(Leaf::constant, pick(32));
  }

  std::mt19937_64 random_;
  bool whole_warps_ = true, exits_ = false;
  unsigned loops_ = 0, divergent_loops_ = 0;
};

}  // namespace

Program generate(uint64_t seed) { return Generator(seed * 0x9e3779b97f4a7c15u + 1).run(); }

}  // namespace spmd

// Naive interpreter: every thread is a fiber that runs the program and stops at synchronizations. When no thread can
// continue, the interpreter performs a synchronization at which all participants have arrived.
#include <algorithm>
#include <boost/context/fiber.hpp>

#include "program.h"

namespace spmd {
namespace {

namespace context = boost::context;

struct Thread {
  unsigned number = 0, tid_x = 0, tid_y = 0;
  uint32_t v[thread_variables] = {}, u[uniform_variables] = {}, c[8] = {}, local[local_size] = {};
  enum class State { ready, at_barrier, at_warp, done } state = State::ready;
  uint32_t brought = 0, brought2 = 0, mask = 0, result = 0;  // operands and result of a synchronization
  const Statement* at = nullptr;
  context::fiber resume;
};

class BlockRun {
 public:
  BlockRun(const Program& program, const std::vector<uint32_t>& input, unsigned index)
      : program_(program), input_(input), index_(index), threads_(program.shape.threads()) {
    for (auto& array : shared_) array.assign(threads_.size(), 0);
    for (unsigned i = 0; i < threads_.size(); ++i) {
      Thread& t = threads_[i];
      t.number = i;
      t.tid_x = i % program.shape.block_x;
      t.tid_y = i / program.shape.block_x;
      for (unsigned k = 0; k < thread_variables; ++k) t.v[k] = i * (k + 1) + k;
      for (unsigned k = 0; k < local_size; ++k) t.local[k] = i ^ k;
      for (auto& array : shared_) array[i] = i;
    }
  }

  void run(std::vector<uint32_t>& out) {
    for (Thread& t : threads_)
      t.resume = context::fiber([this, &t](context::fiber&& back) {
        back_ = std::move(back);
        execute(t, program_.body);
        t.state = Thread::State::done;
        return std::move(back_);
      });
    for (bool moved = true; moved;) {
      moved = false;
      for (Thread& t : threads_)
        while (t.state == Thread::State::ready) {
          t.resume = std::move(t.resume).resume();
          moved = true;
        }
      moved |= complete_warps() || complete_barrier();
    }
    for (Thread& t : threads_) {
      if (t.state != Thread::State::done) std::abort();  // the generator made a program that deadlocks
      std::copy(t.v, t.v + thread_variables, out.begin() + (index_ * threads_.size() + t.number) * thread_variables);
    }
  }

 private:
  enum class Flow { on, broken, continued, returned };

  // ---- operations of one thread ----

  uint32_t leaf(const Thread& t, const Expression& e) const {
    switch (e.leaf) {
      case Leaf::constant:
        return e.number;
      case Leaf::thread_variable:
        return t.v[e.number];
      case Leaf::uniform_variable:
        return t.u[e.number];
      case Leaf::tid_x:
        return t.tid_x;
      case Leaf::tid_y:
        return t.tid_y;
      case Leaf::thread:
        return t.number;
      case Leaf::lane:
        return t.number & 31;
      case Leaf::warp:
        return t.number >> 5;
      case Leaf::block_index:
        return index_;
      case Leaf::block_threads:
        return uint32_t(threads_.size());
      case Leaf::parameter:
        return program_.parameters[e.number];
      case Leaf::counter:
        return t.c[e.number];
    }
    return 0;
  }

  static uint32_t apply(Operator op, uint32_t a, uint32_t b) {
    const auto sa = int32_t(a), sb = int32_t(b);
    switch (op) {
      case Operator::add:
        return a + b;
      case Operator::sub:
        return a - b;
      case Operator::mul:
        return a * b;
      case Operator::bit_and:
        return a & b;
      case Operator::bit_or:
        return a | b;
      case Operator::bit_xor:
        return a ^ b;
      case Operator::shl:
        return b < 32 ? a << b : 0;
      case Operator::lshr:
        return b < 32 ? a >> b : 0;
      case Operator::ashr:
        return uint32_t(sa >> (b < 32 ? b : 31));
      case Operator::udiv:
        return b ? a / b : ~0u;
      case Operator::urem:
        return b ? a % b : ~0u;
      case Operator::sdiv:
        return !b ? ~0u : a == 0x80000000u && sb == -1 ? a : uint32_t(sa / sb);
      case Operator::ult:
        return a < b;
      case Operator::slt:
        return sa < sb;
      case Operator::eq:
        return a == b;
      case Operator::min:
        return std::min(a, b);
      case Operator::max:
        return uint32_t(std::max(sa, sb));
    }
    return 0;
  }

  uint32_t value(const Thread& t, const Expression& e) const {
    switch (e.kind) {
      case Expression::Kind::leaf:
        return leaf(t, e);
      case Expression::Kind::binary:
        return apply(e.op, value(t, e.operands[0]), value(t, e.operands[1]));
      case Expression::Kind::select:
        return value(t, e.operands[value(t, e.operands[0]) ? 1 : 2]);
      case Expression::Kind::input:
        return input_[value(t, e.operands[0]) % input_size];
      case Expression::Kind::input_at_counter:
        return input_[value(t, e.operands[0])];
      case Expression::Kind::input_in_order:
        return input_[t.number + value(t, e.operands[0]) * e.number];
      case Expression::Kind::local:
        return t.local[value(t, e.operands[0]) % local_size];
    }
    return 0;
  }

  uint32_t wait(Thread& t, Thread::State how, const Statement& s, uint32_t mask) {
    t.state = how;
    t.at = &s;
    t.mask = mask;
    back_ = std::move(back_).resume();
    return t.result;
  }

  uint32_t warp(Thread& t, const Statement& s, uint32_t mask) {
    t.brought = value(t, s.value);
    t.brought2 = value(t, s.value2);
    return wait(t, Thread::State::at_warp, s, mask);
  }

  Flow execute(Thread& t, const Block& block) {
    for (const Statement& statement : block)
      if (const Flow flow = execute(t, statement); flow != Flow::on) return flow;
    return Flow::on;
  }

  std::size_t permuted(const Thread& t, unsigned which) const {
    const std::size_t n = threads_.size();
    return which < 4 ? (t.number + which * 5) % n : n - 1 - (t.number + which) % n;
  }

  Flow loop(Thread& t, const Statement& s) {
    const uint32_t end = value(t, s.value) % 4;
    for (uint32_t& c = t.c[s.target] = 0; c < end; ++c) {
      const Flow flow = execute(t, s.body);
      if (flow == Flow::broken) break;
      if (flow == Flow::returned) return flow;
    }
    return Flow::on;
  }

  Flow stride_loop(Thread& t, const Statement& s) {
    const uint32_t end = value(t, s.value) % longest_stride_loop, threads = uint32_t(threads_.size());
    const uint32_t starts[] = {t.number, t.number % 32, t.tid_x, t.number + program_.parameters[0] % 8, t.number - 5};
    const uint32_t steps[] = {threads, 32, 7, program_.shape.block_x};
    for (uint32_t& c = t.c[s.target] = starts[s.start]; c < end; c += steps[s.step])
      if (const Flow flow = execute(t, s.body); flow == Flow::broken || flow == Flow::returned)
        return flow == Flow::returned ? flow : Flow::on;
    return Flow::on;
  }

  Flow execute(Thread& t, const Statement& s) {
    using Kind = Statement::Kind;
    switch (s.kind) {
      case Kind::assign:
        t.v[s.target] = value(t, s.value);
        break;
      case Kind::assign_uniform:
        t.u[s.target] = value(t, s.value);
        break;
      case Kind::branch:
        return execute(t, value(t, s.value) & 1 ? s.body : s.other);
      case Kind::loop:
        return loop(t, s);
      case Kind::stride_loop:
        return stride_loop(t, s);
      case Kind::leave_loop:
        return value(t, s.value) & 1 ? Flow::broken : Flow::on;
      case Kind::next_turn:
        return value(t, s.value) & 1 ? Flow::continued : Flow::on;
      case Kind::leave_kernel:
        return (value(t, s.value) & 3) == 1 ? Flow::returned : Flow::on;
      case Kind::barrier:
        wait(t, Thread::State::at_barrier, s, 0);
        break;
      case Kind::barrier_reduce:
        t.brought = value(t, s.value) & 1;
        t.v[s.target] = wait(t, Thread::State::at_barrier, s, 0);
        break;
      case Kind::store_shared:
        shared_[s.target][permuted(t, s.number)] = value(t, s.value);
        break;
      case Kind::load_shared:
        t.v[s.target] = shared_[s.number][value(t, s.value) % threads_.size()];
        break;
      case Kind::store_local: {
        const uint32_t stored = value(t, s.value);
        t.local[value(t, s.value2) % local_size] = stored;
        break;
      }
      case Kind::warp:
        t.v[s.target] = warp(t, s, ~0u);
        break;
      case Kind::sync_warp:
        wait(t, Thread::State::at_warp, s, ~0u);
        break;
      case Kind::masked_warp: {
        // The ballot gives every lane the mask of participating lanes.
        t.brought = t.brought2 = value(t, s.value2) & 1;
        const uint32_t mask = wait(t, Thread::State::at_warp, ballot_, ~0u);
        if (value(t, s.value2) & 1) t.v[s.target] = warp(t, s, mask);
        break;
      }
      case Kind::add_to_counter:
        counters_[s.target] += value(t, s.value);
        break;
      case Kind::read_counter:
        t.v[s.target] = counters_[s.number];
        break;
    }
    return Flow::on;
  }

  // ---- synchronizations ----

  bool complete_barrier() {
    uint32_t alive = 0, agreed = 0;
    for (const Thread& t : threads_) {
      if (t.state == Thread::State::done) continue;
      if (t.state != Thread::State::at_barrier) return false;
      ++alive;
      agreed += t.brought;
    }
    if (!alive) return false;
    for (Thread& t : threads_)
      if (t.state == Thread::State::at_barrier) {
        t.result = t.at->mode == 0 ? agreed : t.at->mode == 1 ? agreed == alive : agreed != 0;
        t.brought = 0;
        t.state = Thread::State::ready;
      }
    return true;
  }

  bool complete_warps() {
    bool moved = false;
    for (std::size_t first = 0; first < threads_.size(); first += 32)
      for (unsigned lane = 0; lane < 32 && first + lane < threads_.size(); ++lane)
        if (threads_[first + lane].state == Thread::State::at_warp)
          moved |= complete_warp(first, threads_[first + lane]);
    return moved;
  }

  bool complete_warp(std::size_t first, const Thread& asking) {
    const uint32_t mask = asking.mask;
    const Statement& s = *asking.at;
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < 32 && first + lane < threads_.size(); ++lane) {
      const Thread& t = threads_[first + lane];
      if (!(mask >> lane & 1) || t.state == Thread::State::done) continue;
      if (t.state != Thread::State::at_warp || t.at != &s || t.mask != mask) return false;
      lanes |= 1u << lane;
    }
    uint32_t results[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) results[lane] = operate(s, first, lane, lanes);
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        threads_[first + lane].result = results[lane];
        threads_[first + lane].state = Thread::State::ready;
      }
    return true;
  }

  uint32_t lanes_where(std::size_t first, uint32_t lanes, auto&& is) const {
    uint32_t set = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if ((lanes >> lane & 1) && is(threads_[first + lane])) set |= 1u << lane;
    return set;
  }

  uint32_t operate(const Statement& s, std::size_t first, unsigned lane, uint32_t lanes) const {
    const Thread& own = threads_[first + lane];
    if (s.kind == Statement::Kind::sync_warp) return 0;
    switch (s.operation) {
      case WarpOperation::shuffle:
        return shuffle(s, first, lane);
      case WarpOperation::ballot:
        return lanes_where(first, lanes, [](const Thread& t) { return t.brought != 0; });
      case WarpOperation::any:
        return lanes_where(first, lanes, [](const Thread& t) { return t.brought != 0; }) != 0;
      case WarpOperation::all:
        return lanes_where(first, lanes, [](const Thread& t) { return t.brought == 0; }) == 0;
      case WarpOperation::match_any:
        return lanes_where(first, lanes, [&](const Thread& t) { return t.brought % 3 == own.brought % 3; });
      case WarpOperation::match_all:
        return lanes_where(first, lanes, [&](const Thread& t) { return t.brought % 2 == own.brought % 2; }) == lanes
                   ? lanes + 1
                   : 0;
      case WarpOperation::reduce:
        return reduce(s.mode, first, lanes);
      case WarpOperation::active_mask:
        return lanes;
    }
    return 0;
  }

  uint32_t shuffle(const Statement& s, std::size_t first, unsigned lane) const {
    const int own = int(lane), delta = int(threads_[first + lane].brought2 % 32), width = int(s.width);
    const int begin = own / width * width, end = begin + width;
    int from = own;
    if (s.mode == 0) from = begin + delta % width;
    if (s.mode == 1) from = own - delta >= begin ? own - delta : own;
    if (s.mode == 2) from = own + delta < end ? own + delta : own;
    if (s.mode == 3) from = (own ^ delta) < end ? own ^ delta : own;
    return threads_[first + unsigned(from)].brought;
  }

  uint32_t reduce(unsigned mode, std::size_t first, uint32_t lanes) const {
    bool any = false;
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      const uint32_t b = threads_[first + lane].brought;
      const uint32_t choices[] = {sum + b,
                                  uint32_t(std::min(int32_t(sum), int32_t(b))),
                                  uint32_t(std::max(int32_t(sum), int32_t(b))),
                                  std::min(sum, b),
                                  std::max(sum, b),
                                  sum & b,
                                  sum | b,
                                  sum ^ b};
      sum = any ? choices[mode] : b;
      any = true;
    }
    return sum;
  }

  const Program& program_;
  const std::vector<uint32_t>& input_;
  unsigned index_;
  std::vector<Thread> threads_;
  std::vector<uint32_t> shared_[shared_arrays];
  uint32_t counters_[2] = {};
  context::fiber back_;
  Statement ballot_ = [] {
    Statement s{};
    s.kind = Statement::Kind::warp;
    s.operation = WarpOperation::ballot;
    return s;
  }();
};

}  // namespace

std::vector<uint32_t> interpret(const Program& program, const std::vector<uint32_t>& input) {
  std::vector<uint32_t> out(program.shape.grid * program.shape.threads() * thread_variables);
  for (unsigned index = 0; index < program.shape.grid; ++index) BlockRun(program, input, index).run(out);
  return out;
}

}  // namespace spmd

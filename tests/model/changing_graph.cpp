#include "changing_graph.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace changing {
namespace {

constexpr Type at_top[] = {Type::kernel,         Type::kernel, Type::kernel,     Type::copy, Type::set,
                           Type::host,           Type::empty,  Type::record,     Type::wait, Type::signal,
                           Type::semaphore_wait, Type::child,  Type::conditional};
constexpr Type in_child[] = {Type::kernel, Type::kernel,         Type::copy,   Type::set,
                             Type::host,   Type::empty,          Type::record, Type::wait,
                             Type::signal, Type::semaphore_wait, Type::child};
constexpr Type in_body[] = {Type::kernel, Type::kernel, Type::copy, Type::set, Type::empty, Type::child};

std::vector<Fault> faults_of(Type type) {
  switch (type) {
    case Type::kernel:
      return {Fault::function, Fault::cooperative};
    case Type::copy:
      return {Fault::kind, Fault::rows};
    case Type::set:
      return {Fault::rows};
    case Type::signal:
    case Type::semaphore_wait:
      return {Fault::semaphores};
    case Type::conditional:
      return {Fault::condition_type, Fault::bodies};
    default:
      return {};
  }
}

cudaGraphExecUpdateResult result_of(Fault fault) {
  switch (fault) {
    case Fault::none:
      return cudaGraphExecUpdateSuccess;
    case Fault::function:
      return cudaGraphExecUpdateErrorUnsupportedFunctionChange;
    case Fault::cooperative:
      return cudaGraphExecUpdateErrorAttributesChanged;
    case Fault::kind:
    case Fault::rows:
    case Fault::semaphores:
      return cudaGraphExecUpdateErrorParametersChanged;
    case Fault::condition_type:
    case Fault::bodies:
      return cudaGraphExecUpdateErrorNotSupported;
  }
  return cudaGraphExecUpdateError;
}

pairing::Order order_of(const Blueprint& blueprint) {
  pairing::Order order;
  order.after.resize(blueprint.shapes.size());
  std::vector<bool> sink(blueprint.shapes.size(), true);
  for (auto [from, to] : blueprint.edges) {
    order.after[static_cast<size_t>(to)].push_back(from);
    sink[static_cast<size_t>(from)] = false;
  }
  for (int place : blueprint.created) {
    if (sink[static_cast<size_t>(place)]) order.sinks.push_back(place);
  }
  return order;
}

// Indices of conditional nodes: the order in which their conditions were created.
std::map<int, int> conditions_of(const Blueprint& blueprint) {
  std::map<int, int> places;
  for (int place : blueprint.created) {
    const Shape& shape = blueprint.shapes[static_cast<size_t>(place)];
    if (shape.type == Type::conditional) places.emplace(shape.number, static_cast<int>(places.size()));
  }
  return places;
}

pairing::Order order_of(const std::vector<Shape>& chain) {
  pairing::Order order;
  for (int i = 0; i < static_cast<int>(chain.size()); ++i) {
    order.after.push_back(i ? std::vector<int>{i - 1} : std::vector<int>{});
  }
  if (!chain.empty()) order.sinks = {static_cast<int>(chain.size()) - 1};
  return order;
}

Outcome refused(cudaGraphExecUpdateResult result, int node = -1, int from = -1) {
  return {cudaErrorGraphExecUpdateFailure, result, node, from, {}};
}

Outcome compare(const std::vector<Shape>& exec, const pairing::Order& mine, const std::vector<Shape>& graph,
                const pairing::Order& theirs, const Blueprint& blueprint, std::map<int, int> made_before = {},
                std::map<int, int> made_now = {}) {
  if (exec.size() != graph.size()) return refused(cudaGraphExecUpdateErrorTopologyChanged);
  Outcome outcome, stuck;
  auto fits = [&](int place, int partner) {
    const Shape &before = exec[static_cast<size_t>(place)], &now = graph[static_cast<size_t>(partner)];
    const cudaGraphExecUpdateResult fault = result_of(blueprint.of(now).fault);
    if (before.type != now.type) {
      stuck = refused(cudaGraphExecUpdateErrorNodeTypeChanged, now.number);
    } else if (made_before[before.number] != made_now[now.number]) {
      stuck = refused(cudaGraphExecUpdateErrorNotSupported, now.number);
    } else if (fault != cudaGraphExecUpdateSuccess) {
      stuck = refused(fault, now.number);
    } else {
      Outcome inside = expected_update(before.inside, now.inside, blueprint);
      if (inside.status != cudaSuccess) stuck = inside;
      outcome.partners.merge(inside.partners);
      outcome.partners[before.number] = now.number;
    }
    return stuck.status == cudaSuccess;
  };
  const pairing::Answer answer = pairing::pair_up(mine, theirs, fits);
  if (stuck.status != cudaSuccess) return stuck;
  if (answer.paired) return outcome;
  auto number = [&](int place) { return place < 0 ? -1 : graph[static_cast<size_t>(place)].number; };
  return refused(cudaGraphExecUpdateErrorTopologyChanged, number(answer.node), number(answer.from));
}

}  // namespace

Outcome expected_update(const std::vector<Shape>& exec, const std::vector<Shape>& graph, const Blueprint& from) {
  return compare(exec, order_of(exec), graph, order_of(graph), from);
}

Outcome expected_update(const Blueprint& exec, const Blueprint& graph) {
  if (graph.allocates) return refused(cudaGraphExecUpdateErrorTopologyChanged);  // it has a node more
  return compare(exec.shapes, order_of(exec), graph.shapes, order_of(graph), graph, conditions_of(exec),
                 conditions_of(graph));
}

// ---- by chance ---------------------------------------------------------------------------------------------------

Parameters Random::parameters() { return {word(), static_cast<int>(below(3)), chance(2), ++values_, Fault::none}; }

Shape Random::shape(Type type, int& cells, int& numbers, bool body, int depth) {
  Shape made;
  made.type = type;
  made.number = numbers++;
  made.readable = {cells++, cells++};  // never written
  made.cell = cells++;
  body |= type == Type::conditional;
  if (!body && type != Type::child) return made;
  if (depth > 0 && type != Type::child) return made;
  for (uint32_t i = 0, count = below(4); i < count; ++i) {
    Type next = body ? in_body[below(std::size(in_body))] : in_child[below(std::size(in_child))];
    if (next == Type::child && depth == 2) next = Type::kernel;
    made.inside.push_back(shape(next, cells, numbers, body, depth + 1));
  }
  return made;
}

Blueprint Random::blueprint(int nodes, int& cells) {
  Blueprint made;
  int numbers = 0;
  const uint32_t types = chance(3) ? 1 : std::size(at_top);  // of one type more of them pair up in another order
  for (int to = 0; to < nodes; ++to) {
    Shape next = shape(at_top[below(types)], cells, numbers);
    for (int tries = 0; tries < 3 && to > 0; ++tries) {
      const std::pair edge(static_cast<int>(below(static_cast<uint32_t>(to))), to);
      if (chance(2) || std::find(made.edges.begin(), made.edges.end(), edge) != made.edges.end()) continue;
      made.edges.push_back(edge);
      next.readable.push_back(made.shapes[static_cast<size_t>(edge.first)].cell);
    }
    made.created.push_back(to);
    made.shapes.push_back(std::move(next));
  }
  if (chance(2)) change_order(made);
  for (int i = 0; i < numbers; ++i) made.parameters.push_back(parameters());
  return made;
}

void Random::change_order(Blueprint& blueprint) {
  for (uint32_t i = 0, exchanges = 1 + below(3); i < exchanges; ++i) {
    std::swap(one_of(blueprint.created), one_of(blueprint.created));
    if (!blueprint.edges.empty()) std::swap(one_of(blueprint.edges), one_of(blueprint.edges));
  }
}

Blueprint Random::next(const Blueprint& before) {
  Blueprint made = before;
  for (Parameters& each : made.parameters) each = parameters();
  if (chance(2)) change_order(made);
  if (chance(2)) spoil(made);
  return made;
}

void Random::spoil(Blueprint& made) {
  Shape& shape = one_of(made.shapes);
  Shape& inner = !shape.inside.empty() && chance(2) ? one_of(shape.inside) : shape;
  Parameters& parameters = made.parameters[static_cast<size_t>(inner.number)];
  const int places = static_cast<int>(made.shapes.size());
  switch (below(6)) {
    case 0:
      if (inner.inside.empty()) inner.type = inner.type == Type::kernel ? Type::empty : Type::kernel;
      break;
    case 1: {
      Shape more;
      more.number = static_cast<int>(made.parameters.size());
      more.cell = inner.cell;
      more.readable = inner.readable;
      made.parameters.push_back(this->parameters());
      made.created.push_back(places);
      made.shapes.push_back(more);
      break;
    }
    case 2:
      if (!made.edges.empty()) made.edges.erase(made.edges.begin() + below(static_cast<uint32_t>(made.edges.size())));
      break;
    case 3: {
      const int to = static_cast<int>(below(static_cast<uint32_t>(places)));
      if (to == 0) break;
      const std::pair edge(static_cast<int>(below(static_cast<uint32_t>(to))), to);
      if (std::find(made.edges.begin(), made.edges.end(), edge) == made.edges.end()) made.edges.push_back(edge);
      break;
    }
    case 4:
      made.allocates = chance(3);
      break;
    default:
      if (std::vector<Fault> all = faults_of(inner.type); !all.empty()) parameters.fault = one_of(all);
  }
}

}  // namespace changing

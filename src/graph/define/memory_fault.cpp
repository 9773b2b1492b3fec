#include "graph/define/memory_fault.h"

#include <cstdio>
#include <string>

#include "base/thread_local.h"
#include "diagnose/log.h"
#include "exec/spread.h"
#include "graph/define/access.h"
#include "kernel/fault.h"
#include "memory/graph/check_mode.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {
namespace {

REPRISE_THREAD_LOCAL uint64_t running = 0;  // the handle's bits

std::string text(const void* address) {
  char words[32];
  std::snprintf(words, sizeof words, "%p", address);
  return words;
}

std::string graph_of(Handle graph) {
  Ref<Graph> found = graphs().find(graph);
  return found ? "graph " + std::to_string(found->id()) : "a destroyed graph";
}

// "node 0x..., a kernel node of fill, in graph 3"
std::string name_of(Handle handle) {
  const std::string name = "node " + text(handle.as<void*>());
  Ref<Node> node = nodes().find(handle);
  if (!node) return name + ", whose graph was destroyed,";
  std::string words = name;
  static_cast<void>(with_node(node->as_user(), [&](Graph&, Node& there) {
    words += std::string(", ") + describe(there.type());
    if (const KernelWork* kernel = std::get_if<KernelWork>(&there.work))
      words += " of " + kernel->op.function->readable_name();
    return cudaSuccess;
  }));
  return words + ", in " + graph_of(node->graph());
}

std::string state_of(const memory::GraphAllocation& allocation, size_t offset) {
  if (offset >= allocation.asked) return "past its end";
  const uint64_t ended = allocation.ended_by.load(std::memory_order_relaxed);
  if (ended == memory::GraphAllocation::by_nothing) {
    return "before the allocation node has run; make the nodes that use the memory depend on it";
  }
  if (ended == memory::GraphAllocation::by_a_call) return "after it was freed by a call";
  if (ended == memory::GraphAllocation::is_live) return "while it is allocated, but its pages are not mapped";
  return "after " + name_of(Handle{ended}) + " has freed it; make that node depend on those that use the memory";
}

// Called after the thread has left the code that faulted, or before the process ends.
void report(const void* address) {
  Ref<memory::GraphAllocation> allocation = memory::GraphMemory::instance().around(address);
  if (!allocation) return;
  const size_t offset = reinterpret_cast<uintptr_t>(address) - allocation->address;
  std::string words = running ? name_of(Handle{running}) : "work outside of graphs, or not under REPRISE_CHECK=memory,";
  words += " accesses " + text(address) + ", byte " + std::to_string(offset) + " of the " +
           std::to_string(allocation->asked) + " bytes of allocation node " + text(allocation->node.as<void*>()) +
           " of graph " + std::to_string(allocation->graph_id) + ", " + state_of(*allocation, offset);
  diagnose::Log::instance().write(cudaLogLevelError, words);
  if (memory::checks_memory()) std::fprintf(stderr, "REPRISE_CHECK=memory: %s\n", words.c_str());
}

}  // namespace

void report_faults_in_graph_memory() {
  static const bool once = (kernel::set_memory_fault_reporter(&report), true);
  static_cast<void>(once);
}

RunningNode::RunningNode(Handle node) : outer_{running}, was_alone_(exec::stay_alone) {
  running = node.bits;
  exec::stay_alone = true;
}

RunningNode::~RunningNode() {
  running = outer_.bits;
  exec::stay_alone = was_alone_;
}

}  // namespace reprise_runtime::graph

// Addresses to pass: live, freed and foreign memory of every kind. A copy may access its operands, so an address that
// could be host memory is always mapped, together with the `reach` bytes after it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "random.h"

namespace fuzz {

class Memories {
 public:
  // The most bytes that a copy of this program accesses.
  static constexpr size_t reach = size_t{1} << 20;

  explicit Memories(Random& random);
  ~Memories();

  // Null, host, device, pinned, managed, registered, inside, freed.
  void* any();
  // The same, and unmapped addresses, for calls that never access host memory.
  void* any_or_invented();
  // Of any kind, and live until the end, for work that runs later.
  void* lasting();
  // The same, without null and pageable memory; only managed memory if `managed` is set.
  void* right(bool managed = false);
  // Host memory only: for registering.
  void* host();

  enum class Kind { device, pinned, managed };
  // Memory that a call allocated. Frees one when there are many.
  void keep(Kind kind, void* memory);
  void free_all();

  // Addresses of allocation nodes: these may be freed but never accessed, because access faults unless a launch has
  // allocated them.
  void keep_graph_memory(void* memory);
  void* graph_memory();

 private:
  void free(Kind kind, void* memory);

  Random& random_;
  std::unique_ptr<char[]> host_;
  std::vector<void*> live_[3];
  std::vector<void*> freed_;
  std::vector<void*> graph_memory_;
  void* lasting_[3] = {};
};

}  // namespace fuzz

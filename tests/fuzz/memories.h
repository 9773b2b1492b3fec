// Addresses to pass: live, freed and foreign memory of every kind. A copy may touch what it is given, so an address
// that it could take for host memory is always real, and followed by `reach` bytes that are.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "random.h"

namespace fuzz {

class Memories {
 public:
  // The most bytes that a copy with the numbers of this program goes through.
  static constexpr size_t reach = size_t{1} << 20;

  explicit Memories(Random& random);
  ~Memories();

  // Null, host, device, pinned, managed, registered, inside, freed.
  void* any();
  // The same, and addresses that lead nowhere: for calls that never touch host memory.
  void* any_or_invented();
  // Of any kind, and there until the end: for work that is done at some later time.
  void* lasting();
  // The same, without null and plain host memory; `managed` alone where that is asked for.
  void* right(bool managed = false);
  // Host memory only: for registering.
  void* host();

  enum class Kind { device, pinned, managed };
  // What a call has allocated. When there are many, one is freed.
  void keep(Kind kind, void* memory);
  void free_all();

  // Of allocation nodes: to be freed, and never to be touched, because that is a fault where no launch has allocated
  // it.
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

// How the pieces of a copy or a set run: directly, or under a guard that handles a fault when the memory that they
// touch is not mapped. Pieces run on several threads, so each piece is guarded on its own.
#pragma once

#include <memory>
#include <type_traits>

namespace reprise_runtime::memory {

struct FaultGuard {
  // Calls piece(context) under the guard. Null: pieces run without a guard.
  void (*guarded)(void (*piece)(void* context), void* context, void* self) = nullptr;
  void* self = nullptr;

  template <class Piece>
  void run(Piece&& piece) const {
    if (!guarded) return piece();
    using Callable = std::remove_reference_t<Piece>;
    guarded([](void* context) { (*static_cast<Callable*>(context))(); },
            const_cast<void*>(static_cast<const void*>(std::addressof(piece))), self);
  }
};

}  // namespace reprise_runtime::memory

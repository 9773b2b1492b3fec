// How the pieces of a copy or a set are run: as they are, or by somebody who knows what to do when the memory that they
// touch is not there. Pieces run on several threads, so that the one who asked for them cannot see to it alone.
#pragma once

#include <memory>
#include <type_traits>

namespace reprise_runtime::memory {

struct Care {
  // Calls piece(context). Null: nobody takes care.
  void (*run)(void (*piece)(void* context), void* context, void* self) = nullptr;
  void* self = nullptr;

  template <class Piece>
  void take(Piece&& piece) const {
    if (!run) return piece();
    using Callable = std::remove_reference_t<Piece>;
    run([](void* context) { (*static_cast<Callable*>(context))(); },
        const_cast<void*>(static_cast<const void*>(std::addressof(piece))), self);
  }
};

}  // namespace reprise_runtime::memory

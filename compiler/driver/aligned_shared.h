// Clang takes `alignas(16) __shared__ int a[4]` in a function, but not the two words the other way around, which nvcc takes:
//
//   __shared__ alignas(16) int a[4];      ->      __shared__ _Alignas(16) int a[4];
//
// When clang objects, it reads the files it objects to once more, changed so, under their own names (an overlay of its file
// system).
#pragma once

#include <string>

#include "workspace.h"

namespace reprise::driver {

// Makes the overlay for the files that clang's messages complain of. Returns its path, or nothing where it would not help.
std::string overlay_aligned_shared(const std::string& messages, const Workspace& workspace, std::size_t number,
                                   const std::string& source);

}  // namespace reprise::driver

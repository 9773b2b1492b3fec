// The maths functions of CUDA that LLVM has no intrinsic for, under the names that clang's CUDA headers call. The same
// functions serve host code, where nvcc offers CUDA's own ones too.
//
// How accurate each has to be is CUDA's programming guide's table ("Mathematical Functions"): the difference, in units
// in the last place, from the correctly rounded result. tests/language holds the bounds.
#pragma once

#include "base/export.h"

#define REPRISE_MATHS extern "C" REPRISE_EXPORT

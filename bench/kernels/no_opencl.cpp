// Replaces opencl.cpp in builds without OpenCL.
#include "problem.h"

namespace bench {

const Contender opencl{"PoCL (not here)", [](const Problem&) { return false; }, [](const Problem&) {}};

}  // namespace bench

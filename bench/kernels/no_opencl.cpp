// Where OpenCL was not found when this was built.
#include "problem.h"

namespace bench {

const Contender opencl{"PoCL (not here)", [](const Problem&) { return false; }, [](const Problem&) {}};

}  // namespace bench

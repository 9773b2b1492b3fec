// What becomes of the losses of many elements.
#pragma once

namespace reprise {

enum class Reduction { mean, sum };

}  // namespace reprise

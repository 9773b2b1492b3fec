// How a loss reduces over elements.
#pragma once

namespace reprise {

enum class Reduction { mean, sum, none };

}  // namespace reprise

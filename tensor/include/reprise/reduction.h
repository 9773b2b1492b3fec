// How a loss reduces over elements.
#pragma once

namespace reprise {

enum class Reduction { mean, sum };

}  // namespace reprise

#include <reprise/grad_mode.h>

namespace reprise {
namespace {
thread_local bool enabled_here = true;
}

bool is_grad_enabled() { return enabled_here; }
void set_grad_enabled(bool enabled) { enabled_here = enabled; }

}  // namespace reprise

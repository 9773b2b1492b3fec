#pragma once

#include <string>

namespace reprise {

// Calls the handler of set_warning_handler().
void warn(const std::string& text);

}  // namespace reprise

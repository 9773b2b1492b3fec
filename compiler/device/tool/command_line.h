#pragma once

#include "ir/options.h"

namespace reprise_compiler::device {

// Ends the program with a message on a wrong command line.
Options parse_command_line(int argc, char** argv);

}  // namespace reprise_compiler::device

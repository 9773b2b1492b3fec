#pragma once

#include "options.h"

namespace reprise::device {

// Ends the program with a message on a wrong command line.
Options parse_command_line(int argc, char** argv);

}  // namespace reprise::device

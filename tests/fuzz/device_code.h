// A kernel and a variable for calls to name, registered as compiled programs register theirs.
#pragma once

namespace fuzz {

void register_device_code();

extern char kernel_stub;         // takes a pointer and an int
extern int variable_shadow[16];  // of a variable of 64 bytes

}  // namespace fuzz

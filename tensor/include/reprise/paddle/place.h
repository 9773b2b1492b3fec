// Paddle's name for a device.
#pragma once

namespace reprise::paddle {

struct CUDAPlace {
  int device = 0;
};

// Throws unless `place` is the current device, on which tensors are. `object` begins the message.
void check_place(CUDAPlace place, const char* object);

}  // namespace reprise::paddle

// Paddle's name for a device.
#pragma once

namespace reprise::paddle {

struct CUDAPlace {
  int device = 0;
};

// Throws unless `place` is the current device, where tensors are. `object` is the subject of the message.
void check_place(CUDAPlace place, const char* object);

}  // namespace reprise::paddle

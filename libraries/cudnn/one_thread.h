// Makes oneDNN compute on the calling thread alone: the runtime's workers divide the work.
#pragma once

namespace reprise_cudnn {

class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = 1;
};

}  // namespace reprise_cudnn

#include "one_thread.h"

#include <dlfcn.h>

namespace reprise_cudnn {
namespace {

// Functions of the OpenMP runtime that oneDNN uses, whichever it is: the first one in the process. The number of
// threads is a setting of each thread, and that of a user's thread must not change.
struct OpenMP {
  int (*get)() = nullptr;
  void (*set)(int) = nullptr;
  OpenMP()
      : get(reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"))),
        set(reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) {}
};

const OpenMP& openmp() {
  static const OpenMP found;
  return found;
}

}  // namespace

OneThread::OneThread() {
  if (!openmp().get || !openmp().set) return;
  before_ = openmp().get();
  if (before_ != 1) openmp().set(1);
}

OneThread::~OneThread() {
  if (before_ != 1) openmp().set(before_);
}

}  // namespace reprise_cudnn

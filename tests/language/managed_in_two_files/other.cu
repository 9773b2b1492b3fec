// The second file of static_managed_test.cu: variables of the same names.
#include "other.h"

static __managed__ int counter = 1000;
namespace {
__managed__ int hidden[2] = {5, 6};
}

static __global__ void count_up(int amount) {
  counter += amount;
  hidden[1] += amount;
}

void OtherFile::count(int amount) { count_up<<<1, 1>>>(amount); }
int OtherFile::counter() { return ::counter; }
int OtherFile::second_hidden() { return hidden[1]; }

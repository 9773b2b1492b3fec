#include <cstdio>

#include "numbers.h"

__global__ void kernel(int* out) { *out = number(); }

int main() { std::printf("%d\n", on_the_device(kernel)); }

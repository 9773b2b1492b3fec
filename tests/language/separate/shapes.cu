#include "shapes.h"

__device__ __managed__ int managed_by_both = 40;
__managed__ int managed_plainly = 50;
__device__ float shared_total = 100;
__constant__ float scale_of_sides[8] = {0, 1, 2, 0.5f, 4, 5, 6, 7};

__device__ float area(const Shape& shape) { return shape.size * shape.size * scale_of_sides[shape.sides]; }
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

static __device__ float doubled(float x) { return x * 2; }
static __device__ float squared(float x) { return x * x; }
__device__ Transform transform_of(int which) { return which ? squared : doubled; }

// The same names as in the other file, for unrelated variables.
static __device__ int private_counter = 1000;
static __global__ void private_kernel(int* out) { *out = private_counter++; }
void launch_from_other_file(int* out) { private_kernel<<<1, 1>>>(out); }

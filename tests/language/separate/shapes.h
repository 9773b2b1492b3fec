// Device functions and variables that the files of this program share.
#pragma once

struct Shape {
  int sides;
  float size;
};

extern __device__ float shared_total;
extern __device__ __managed__ int managed_by_both;
extern __managed__ int managed_plainly;
extern __constant__ float scale_of_sides[8];
__device__ float area(const Shape& shape);
__device__ int factorial(int n);
using Transform = float (*)(float);
__device__ Transform transform_of(int which);
void launch_from_other_file(int* out);

// NVIDIA's toolkits have definitions in this file; here cuda_fp16.h has them.
#pragma once
#include <cuda_fp16.h>

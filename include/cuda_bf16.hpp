// NVIDIA's toolkits have definitions in this file; here cuda_bf16.h has them.
#pragma once
#include <cuda_bf16.h>

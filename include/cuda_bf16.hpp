// What other toolkits define here is in cuda_bf16.h.
#pragma once
#include <cuda_bf16.h>

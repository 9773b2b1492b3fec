/* Where CUDA's own headers keep device_double_functions.h. */
#include "../device_double_functions.h"

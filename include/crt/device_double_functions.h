/* The location of device_double_functions.h in NVIDIA's toolkit. */
#include "../device_double_functions.h"

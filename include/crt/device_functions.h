/* The location of device_functions.h in NVIDIA's toolkit. */
#include "../device_functions.h"

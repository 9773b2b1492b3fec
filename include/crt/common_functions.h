/* The location of common_functions.h in NVIDIA's toolkit. */
#include "../common_functions.h"

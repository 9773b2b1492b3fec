/* Where CUDA's own headers keep common_functions.h. */
#include "../common_functions.h"

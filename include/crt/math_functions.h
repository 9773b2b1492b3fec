/* Where CUDA's own headers keep math_functions.h. */
#include "../math_functions.h"

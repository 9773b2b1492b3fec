/* The location of math_functions.h in NVIDIA's toolkit. */
#include "../math_functions.h"

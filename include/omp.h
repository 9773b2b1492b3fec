/* The compiler's own omp.h. Device code has _OPENMP, as with nvcc, but not the pragmas in which that header wraps a
 * part of its declarations. */
#if defined(__CUDA_ARCH__) && defined(_OPENMP)
#pragma push_macro("_OPENMP")
#undef _OPENMP
#include_next <omp.h>
#pragma pop_macro("_OPENMP")
#else
#include_next <omp.h>
#endif

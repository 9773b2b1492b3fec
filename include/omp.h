/* Includes the compiler's own omp.h. As in nvcc, device code has _OPENMP, but not the pragmas in which that header
 * wraps some of its declarations. */
#if defined(__CUDA_ARCH__) && defined(_OPENMP)
#pragma push_macro("_OPENMP")
#undef _OPENMP
#include_next <omp.h>
#pragma pop_macro("_OPENMP")
#else
#include_next <omp.h>
#endif

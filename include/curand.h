/* The types of cuRAND. Host generators (curandCreateGenerator and the like) are not available; curand_kernel.h has the
 * device generators. */
#ifndef CURAND_H_
#define CURAND_H_

#include <cuda_runtime.h>

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VERSION (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef struct curandGenerator_st* curandGenerator_t;

#ifdef __cplusplus
#define __REPRISE_NO_GENERATOR__(name) \
  curandStatus_t name(...)             \
      __attribute__((unavailable("cuRAND's generators of the host are not supported; kernels have curand_kernel.h")));
__REPRISE_NO_GENERATOR__(curandCreateGenerator)
__REPRISE_NO_GENERATOR__(curandCreateGeneratorHost)
__REPRISE_NO_GENERATOR__(curandDestroyGenerator)
__REPRISE_NO_GENERATOR__(curandSetStream)
__REPRISE_NO_GENERATOR__(curandSetPseudoRandomGeneratorSeed)
__REPRISE_NO_GENERATOR__(curandSetGeneratorOffset)
__REPRISE_NO_GENERATOR__(curandGenerate)
__REPRISE_NO_GENERATOR__(curandGenerateUniform)
__REPRISE_NO_GENERATOR__(curandGenerateUniformDouble)
__REPRISE_NO_GENERATOR__(curandGenerateNormal)
__REPRISE_NO_GENERATOR__(curandGenerateNormalDouble)
__REPRISE_NO_GENERATOR__(curandGenerateLogNormal)
__REPRISE_NO_GENERATOR__(curandGeneratePoisson)
#undef __REPRISE_NO_GENERATOR__
#endif

#endif /* CURAND_H_ */

/* The identity of a device. Other headers of CUDA's define the type too, whichever comes first. */
#ifndef REPRISE_TYPES_UUID_H
#define REPRISE_TYPES_UUID_H

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st CUuuid;
#endif

#endif /* REPRISE_TYPES_UUID_H */

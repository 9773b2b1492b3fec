/* Green contexts: types of the driver API. */
#ifndef REPRISE_DRIVER_TYPES_GREEN_CONTEXT_H
#define REPRISE_DRIVER_TYPES_GREEN_CONTEXT_H

#include "handles.h"

#define RESOURCE_ABI_VERSION 1
#define RESOURCE_ABI_EXTERNAL_BYTES 48

typedef enum { CU_GREEN_CTX_DEFAULT_STREAM = 1 } CUgreenCtxCreate_flags;

typedef enum {
  CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING = 1,
  CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE = 2
} CUdevSmResourceSplit_flags;

typedef enum { CU_DEV_RESOURCE_TYPE_INVALID = 0, CU_DEV_RESOURCE_TYPE_SM = 1 } CUdevResourceType;

typedef struct CUdevSmResource_st {
  unsigned int smCount;
  unsigned int minSmPartitionSize;
  unsigned int smCoscheduledAlignment;
} CUdevSmResource;

typedef struct CUdevResource_st {
  CUdevResourceType type;
  unsigned char _internal_padding[92];
  union {
    CUdevSmResource sm;
    unsigned char _oversize[RESOURCE_ABI_EXTERNAL_BYTES];
  };
} CUdevResource_v1;

typedef CUdevResource_v1 CUdevResource;

#endif /* REPRISE_DRIVER_TYPES_GREEN_CONTEXT_H */

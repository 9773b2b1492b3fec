/* Handles that carry events and memory to another process. */
#ifndef REPRISE_TYPES_IPC_H
#define REPRISE_TYPES_IPC_H

#define cudaIpcMemLazyEnablePeerAccess 0x01

#define CUDA_IPC_HANDLE_SIZE 64

typedef struct cudaIpcEventHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;

typedef struct cudaIpcMemHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;

typedef struct cudaMemFabricHandle_st {
  char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaMemFabricHandle_t;

#endif /* REPRISE_TYPES_IPC_H */

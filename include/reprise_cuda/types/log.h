/* CUDA's error log. */
#ifndef REPRISE_TYPES_LOG_H
#define REPRISE_TYPES_LOG_H

typedef enum CUDAlogLevel_enum { cudaLogLevelError = 0, cudaLogLevelWarning = 1 } cudaLogLevel;

typedef struct CUlogsCallbackEntry_st* cudaLogsCallbackHandle;
typedef unsigned int cudaLogIterator;

#endif /* REPRISE_TYPES_LOG_H */

/* NVTX: marks and ranges for a profiler, here the trace of the runtime. Without a trace the calls do nothing.
 */
#ifndef REPRISE_NVTX3_NVTOOLSEXT_H
#define REPRISE_NVTX3_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3

#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration* nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;

/* Ranges and marks of a thread go to the trace of the runtime (REPRISE_TRACE), if the program is linked with it. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) int __reprise_range_push(const char* text);
__attribute__((weak)) int __reprise_range_pop(void);
__attribute__((weak)) void __reprise_range_mark(const char* text);
#ifdef __cplusplus
}
#endif
static __inline__ int reprise_nvtx_push(const char* text) {
  return __reprise_range_push ? __reprise_range_push(text ? text : "") : NVTX_NO_PUSH_POP_TRACKING;
}
static __inline__ int reprise_nvtx_pop(void) {
  return __reprise_range_pop ? __reprise_range_pop() : NVTX_NO_PUSH_POP_TRACKING;
}
static __inline__ void reprise_nvtx_mark(const char* text) {
  if (__reprise_range_mark) __reprise_range_mark(text ? text : "");
}
static __inline__ const char* reprise_nvtx_text(const nvtxEventAttributes_t* attributes) {
  return attributes && attributes->messageType == NVTX_MESSAGE_TYPE_ASCII ? attributes->message.ascii : "range";
}

/* The other calls ignore their arguments. */
#define REPRISE_NVTX(result, name, parameters, value) \
  static __inline__ result name parameters { return value; }
#define REPRISE_NVTX_1(result, name, T, value) REPRISE_NVTX(result, name, (T reprise_a), ((void)reprise_a, value))
#define REPRISE_NVTX_2(result, name, T, U, value) \
  REPRISE_NVTX(result, name, (T reprise_a, U reprise_b), ((void)reprise_a, (void)reprise_b, value))
#define REPRISE_NVTX_3(result, name, T, U, V, value)                  \
  REPRISE_NVTX(result, name, (T reprise_a, U reprise_b, V reprise_c), \
               ((void)reprise_a, (void)reprise_b, (void)reprise_c, value))

REPRISE_NVTX_1(void, nvtxInitialize, const void*, (void)0)
REPRISE_NVTX_1(void, nvtxMarkEx, const nvtxEventAttributes_t*, reprise_nvtx_mark(reprise_nvtx_text(reprise_a)))
REPRISE_NVTX_1(void, nvtxMarkA, const char*, reprise_nvtx_mark(reprise_a))
REPRISE_NVTX_1(void, nvtxMarkW, const wchar_t*, (void)0)
REPRISE_NVTX_1(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t*, 0)
REPRISE_NVTX_1(nvtxRangeId_t, nvtxRangeStartA, const char*, 0)
REPRISE_NVTX_1(nvtxRangeId_t, nvtxRangeStartW, const wchar_t*, 0)
REPRISE_NVTX_1(void, nvtxRangeEnd, nvtxRangeId_t, (void)0)
REPRISE_NVTX_1(int, nvtxRangePushEx, const nvtxEventAttributes_t*, reprise_nvtx_push(reprise_nvtx_text(reprise_a)))
REPRISE_NVTX_1(int, nvtxRangePushA, const char*, reprise_nvtx_push(reprise_a))
REPRISE_NVTX_1(int, nvtxRangePushW, const wchar_t*, NVTX_NO_PUSH_POP_TRACKING)
REPRISE_NVTX(int, nvtxRangePop, (void), reprise_nvtx_pop())
REPRISE_NVTX_2(void, nvtxNameCategoryA, uint32_t, const char*, (void)0)
REPRISE_NVTX_2(void, nvtxNameCategoryW, uint32_t, const wchar_t*, (void)0)
REPRISE_NVTX_2(void, nvtxNameOsThreadA, uint32_t, const char*, (void)0)
REPRISE_NVTX_2(void, nvtxNameOsThreadW, uint32_t, const wchar_t*, (void)0)

REPRISE_NVTX_1(nvtxDomainHandle_t, nvtxDomainCreateA, const char*, (nvtxDomainHandle_t)0)
REPRISE_NVTX_1(nvtxDomainHandle_t, nvtxDomainCreateW, const wchar_t*, (nvtxDomainHandle_t)0)
REPRISE_NVTX_1(void, nvtxDomainDestroy, nvtxDomainHandle_t, (void)0)
REPRISE_NVTX_2(void, nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*,
               reprise_nvtx_mark(reprise_nvtx_text(reprise_b)))
REPRISE_NVTX_2(nvtxRangeId_t, nvtxDomainRangeStartEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*, 0)
REPRISE_NVTX_2(void, nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t, (void)0)
REPRISE_NVTX_2(int, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*,
               reprise_nvtx_push(reprise_nvtx_text(reprise_b)))
REPRISE_NVTX_1(int, nvtxDomainRangePop, nvtxDomainHandle_t, reprise_nvtx_pop())
REPRISE_NVTX_2(nvtxStringHandle_t, nvtxDomainRegisterStringA, nvtxDomainHandle_t, const char*, (nvtxStringHandle_t)0)
REPRISE_NVTX_2(nvtxStringHandle_t, nvtxDomainRegisterStringW, nvtxDomainHandle_t, const wchar_t*, (nvtxStringHandle_t)0)
REPRISE_NVTX_3(void, nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t, const char*, (void)0)
REPRISE_NVTX_3(void, nvtxDomainNameCategoryW, nvtxDomainHandle_t, uint32_t, const wchar_t*, (void)0)

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA

#endif /* REPRISE_NVTX3_NVTOOLSEXT_H */

#include "driver/entry/entry_points.h"

#define ADDRESS(function) reinterpret_cast<void*>(function)

// Only their addresses are needed; earlier_versions.cpp has them.
extern "C" {
int cuCtxCreate_v2();
int cuCtxCreate_v3();
int cuEventElapsedTime();
int cuGetProcAddress();
int cuGraphAddDependencies();
int cuGraphAddKernelNode();
int cuGraphAddNode();
int cuGraphExecKernelNodeSetParams();
int cuGraphExecUpdate();
int cuGraphGetEdges();
int cuGraphKernelNodeGetParams();
int cuGraphKernelNodeSetParams();
int cuGraphNodeGetDependencies();
int cuGraphNodeGetDependentNodes();
int cuGraphRemoveDependencies();
int cuMemAdvise();
int cuMemcpy3DBatchAsync();
int cuMemcpy3DBatchAsync_ptsz();
int cuMemcpyBatchAsync();
int cuMemcpyBatchAsync_ptsz();
int cuMemPrefetchAsync();
int cuMemPrefetchAsync_ptsz();
int cuStreamBeginCapture();
int cuStreamBeginCapture_ptsz();
int cuStreamGetCaptureInfo();
int cuStreamGetCaptureInfo_ptsz();
int cuStreamGetCaptureInfo_v2();
int cuStreamGetCaptureInfo_v2_ptsz();
int cuStreamUpdateCaptureDependencies();
int cuStreamUpdateCaptureDependencies_ptsz();
int cuGraphInstantiate();
int cuGraphInstantiate_v2();
}

namespace reprise_runtime::driver::detail {

const EntryPoint earlier_entry_points[] = {
    {"cuCtxCreate", 2000, ADDRESS(cuCtxCreate_v2), nullptr},
    {"cuCtxCreate", 11040, ADDRESS(cuCtxCreate_v3), nullptr},
    {"cuEventElapsedTime", 2000, ADDRESS(cuEventElapsedTime), nullptr},
    {"cuGetProcAddress", 11030, ADDRESS(cuGetProcAddress), nullptr},
    {"cuGraphAddDependencies", 10000, ADDRESS(cuGraphAddDependencies), nullptr},
    {"cuGraphAddKernelNode", 10000, ADDRESS(cuGraphAddKernelNode), nullptr},
    {"cuGraphAddNode", 12020, ADDRESS(cuGraphAddNode), nullptr},
    {"cuGraphExecKernelNodeSetParams", 10010, ADDRESS(cuGraphExecKernelNodeSetParams), nullptr},
    {"cuGraphExecUpdate", 10020, ADDRESS(cuGraphExecUpdate), nullptr},
    {"cuGraphGetEdges", 10000, ADDRESS(cuGraphGetEdges), nullptr},
    {"cuGraphKernelNodeGetParams", 10000, ADDRESS(cuGraphKernelNodeGetParams), nullptr},
    {"cuGraphKernelNodeSetParams", 10000, ADDRESS(cuGraphKernelNodeSetParams), nullptr},
    {"cuGraphNodeGetDependencies", 10000, ADDRESS(cuGraphNodeGetDependencies), nullptr},
    {"cuGraphNodeGetDependentNodes", 10000, ADDRESS(cuGraphNodeGetDependentNodes), nullptr},
    {"cuGraphRemoveDependencies", 10000, ADDRESS(cuGraphRemoveDependencies), nullptr},
    {"cuMemAdvise", 8000, ADDRESS(cuMemAdvise), nullptr},
    {"cuMemcpy3DBatchAsync", 12080, ADDRESS(cuMemcpy3DBatchAsync), ADDRESS(cuMemcpy3DBatchAsync_ptsz)},
    {"cuMemcpyBatchAsync", 12080, ADDRESS(cuMemcpyBatchAsync), ADDRESS(cuMemcpyBatchAsync_ptsz)},
    {"cuMemPrefetchAsync", 8000, ADDRESS(cuMemPrefetchAsync), ADDRESS(cuMemPrefetchAsync_ptsz)},
    {"cuStreamBeginCapture", 10000, ADDRESS(cuStreamBeginCapture), ADDRESS(cuStreamBeginCapture_ptsz)},
    {"cuStreamGetCaptureInfo", 10010, ADDRESS(cuStreamGetCaptureInfo), ADDRESS(cuStreamGetCaptureInfo_ptsz)},
    {"cuStreamGetCaptureInfo", 11030, ADDRESS(cuStreamGetCaptureInfo_v2), ADDRESS(cuStreamGetCaptureInfo_v2_ptsz)},
    {"cuStreamUpdateCaptureDependencies", 11030, ADDRESS(cuStreamUpdateCaptureDependencies),
     ADDRESS(cuStreamUpdateCaptureDependencies_ptsz)},
    {"cuGraphInstantiate", 10000, ADDRESS(cuGraphInstantiate), nullptr},
    {"cuGraphInstantiate", 11000, ADDRESS(cuGraphInstantiate_v2), nullptr},
};
const int earlier_entry_point_count = sizeof earlier_entry_points / sizeof *earlier_entry_points;

}  // namespace reprise_runtime::driver::detail

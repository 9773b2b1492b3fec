// Conditions in graphs.
#include "api/unsupported.h"

#define WHY "conditional nodes are not there yet"

extern "C" {

UNSUPPORTED(cudaGraphConditionalHandleCreate,
            (cudaGraphConditionalHandle*, cudaGraph_t, unsigned int, unsigned int))

}

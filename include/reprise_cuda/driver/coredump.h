/* Core dumps of the driver API. */
#ifndef REPRISE_DRIVER_COREDUMP_H
#define REPRISE_DRIVER_COREDUMP_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuCoredumpGetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);
REPRISE_API CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size);
REPRISE_API CUresult cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, size_t* size);
REPRISE_API CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value, size_t* size);

REPRISE_END_C

#endif /* REPRISE_DRIVER_COREDUMP_H */

/* Attributes of pointers of the driver API. */
#ifndef REPRISE_DRIVER_POINTER_H
#define REPRISE_DRIVER_POINTER_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr);
REPRISE_API CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr ptr);
REPRISE_API CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data,
                                            CUdeviceptr ptr);

REPRISE_END_C

#endif /* REPRISE_DRIVER_POINTER_H */

/* No host compiler is rejected. */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include "host_defines.h"

#endif /* __HOST_CONFIG_H__ */

/* How a call of the runtime API is declared. */
#ifndef REPRISE_API_DECLARE_H
#define REPRISE_API_DECLARE_H

#include <stddef.h>

#include "../linkage.h"
#include "per_thread_default_stream.h"

#endif /* REPRISE_API_DECLARE_H */

// libcu++ needs C++17. Included first, so that the first error message says so.
#pragma once

#if __cplusplus < 201703L
#error libcu++ needs C++17 (-std=c++17)
#endif

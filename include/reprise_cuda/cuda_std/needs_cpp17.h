// libcu++ is written in C++17. Included first, so that the first of many messages says so.
#pragma once

#if __cplusplus < 201703L
#error libcu++ needs C++17 (-std=c++17)
#endif

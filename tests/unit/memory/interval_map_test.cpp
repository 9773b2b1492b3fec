#include "memory/address/interval_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <vector>

namespace {

TEST(IntervalMap, AgreesWithAnArrayOfValues) {
  reprise_runtime::memory::IntervalMap<int> map;
  std::vector<int> model(100, 0);
  unsigned state = 1;
  auto random = [&] { return (state = state * 1103515245 + 12345) >> 16; };
  for (int step = 0; step < 5000; ++step) {
    const unsigned begin = random() % 100, end = begin + 1 + random() % (100 - begin);
    if (random() % 4 == 0) {
      map.erase(begin, end);
      std::fill(model.begin() + begin, model.begin() + end, 0);
    } else {
      const int add = 1 + static_cast<int>(random() % 3);
      map.update(begin, end, [&](int& value) { value += add; });
      for (unsigned i = begin; i < end; ++i) model[i] += add;
    }
    const unsigned from = random() % 100, to = from + 1 + random() % (100 - from);
    int least = INT_MAX, most = INT_MIN;
    map.visit(from, to, [&](int value) { least = std::min(least, value), most = std::max(most, value); });
    ASSERT_EQ(least, *std::min_element(model.begin() + from, model.begin() + to)) << step;
    ASSERT_EQ(most, *std::max_element(model.begin() + from, model.begin() + to)) << step;
  }
}

}  // namespace

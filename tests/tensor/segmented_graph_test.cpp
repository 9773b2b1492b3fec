// SegmentedGraph: eager regions between captured ones.
#include <gtest/gtest.h>
#include <reprise/factories.h>
#include <reprise/ops.h>
#include <reprise/segmented_graph.h>

#include "error_of.h"
#include "values.h"

namespace reprise {
namespace {

TEST(SegmentedGraphTest, LeavesTheCaptureAndReturns) {
  Tensor x = zeros({4}), between = zeros({4});
  std::vector<float> seen;
  Tensor y, z;
  auto work = [&] {
    y = x * 2 + rand({4});
    eagerly([&] {
      seen.push_back(sum(y).item<float>());  // not possible in a capture
      between.copy_(y * seen.back() + rand({4}));
    });
    z = dropout(between + y) + rand({4});
  };
  SegmentedGraph graph;
  graph.capture(work);
  EXPECT_EQ(graph.segments(), 2u);
  EXPECT_EQ(values(between), Values(4, 0)) << "warm-up leaves no trace, and the capture runs nothing";
  for (int round = 0; round < 3; ++round) {
    x.fill_(round);
    manual_seed(round);
    seen.clear();
    graph.replay();
    const Values by_replay = values(z);
    ASSERT_EQ(seen.size(), 1u);
    manual_seed(round);
    work();
    EXPECT_EQ(by_replay, values(z));
    EXPECT_EQ(seen[0], seen[1]);
    graph.capture(work);  // z belongs to the graph again
  }
}

TEST(SegmentedGraphTest, AFailedCaptureRestoresEverything) {
  Tensor x = ones({1000});
  SegmentedGraph graph;
  PoolHandle pool = graph_pool_handle();
  CaptureOptions options{pool, CaptureMode::thread_local_, 0};
  Tensor y;
  EXPECT_EQ(error_of([&] {
              graph.capture(
                  [&] {
                    y = x + 1;
                    eagerly([] {});
                    y = y + 1;
                    fail("as asked");
                  },
                  options);
            }),
            "as asked");
  y = Tensor();
  EXPECT_FALSE(is_current_stream_capturing());
  EXPECT_EQ(graph.segments(), 0u);
  EXPECT_EQ(pool.statistics().reserved, 0u);
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "nothing was captured"));
  bool ran = false;
  eagerly([&] { ran = true; });
  EXPECT_TRUE(ran) << "outside of captures it is a plain call";
}

}  // namespace
}  // namespace reprise

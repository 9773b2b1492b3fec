// Work beside a capture: eager work while the current stream is capturing, and host functions that become part of the
// graph.
#pragma once

#include <functional>
#include <memory>

namespace reprise {

// While it is alive, work that this thread submits runs immediately and is not captured, and memory it allocates does
// not belong to the graph. Use it for state that is initialised on first use. Replays of the graph wait for that work.
class OutsideCapture {
 public:
  OutsideCapture();
  ~OutsideCapture();
  OutsideCapture(const OutsideCapture&) = delete;
  OutsideCapture& operator=(const OutsideCapture&) = delete;

 private:
  struct Outside;
  std::unique_ptr<Outside> outside_;  // null if the current stream is not capturing
};

// Runs `function` on the host in stream order: now, or in each replay if the current stream is capturing. It must not
// call CUDA. The graph keeps everything that it holds alive.
void host_function(std::function<void()> function);

// Keeps `object` alive as long as the graph that the current stream is capturing. Does nothing if it is not capturing.
void keep_with_graph(std::shared_ptr<const void> object);

}  // namespace reprise

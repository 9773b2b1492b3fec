#include "graph/warning.h"

#include <reprise/cuda_graph.h>

#include <iostream>
#include <mutex>

namespace reprise {
namespace {

struct Handler {
  std::mutex mutex;
  std::function<void(const std::string&)> function;  // guarded by mutex
};

Handler& handler() {
  static Handler* handler = new Handler;
  return *handler;
}

}  // namespace

void set_warning_handler(std::function<void(const std::string&)> function) {
  std::lock_guard<std::mutex> lock(handler().mutex);
  handler().function = std::move(function);
}

void warn(const std::string& text) {
  std::function<void(const std::string&)> function;
  {
    std::lock_guard<std::mutex> lock(handler().mutex);
    function = handler().function;
  }
  if (function) {
    function(text);
  } else {
    std::cerr << "reprise: " << text << '\n';
  }
}

}  // namespace reprise

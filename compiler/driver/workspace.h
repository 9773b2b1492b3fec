// The directory of one run's intermediate files. It is removed at the end, also when a signal ends the run. With
// --keep, the directory is the user's and the files stay.
#pragma once

#include <filesystem>
#include <string>

#include "options.h"

namespace reprise_compiler::driver {

class Workspace {
 public:
  // Call before starting any thread: it blocks the terminating signals, which a thread of its own handles.
  explicit Workspace(const Options& options);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Returns a path for an intermediate file of the `number`th input, named after its source: saxpy.device.bc
  std::string file(std::size_t number, const std::string& source, const std::string& ending) const;

 private:
  std::filesystem::path directory_;
  bool removed_at_end_ = false, numbered_ = false;
};

}  // namespace reprise_compiler::driver

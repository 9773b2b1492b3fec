// The directory of one run's intermediate files: removed at the end, also when a signal ends the run; with
// --keep, the directory the user named, and the files stay.
#pragma once

#include <filesystem>
#include <string>

#include "options.h"

namespace reprise_compiler::driver {

class Workspace {
 public:
  // Call before any thread is started: it blocks the signals that end a program, for its own thread to take.
  explicit Workspace(const Options& options);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // A path for an intermediate file of the `number`th input, named after its source: saxpy.device.bc
  std::string file(std::size_t number, const std::string& source, const std::string& ending) const;

 private:
  std::filesystem::path directory_;
  bool removed_at_end_ = false, numbered_ = false;
};

}  // namespace reprise_compiler::driver

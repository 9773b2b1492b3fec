// A JSON file of events that is valid at any moment, also when the process is killed.
//
//   [ event, event,        <- pages of whole events, each filled up with spaces
//     event, ...
//     (pages of spaces)
//     {}]                  <- the last page
//
// A page is written by one system call, which the system does not leave half done when the process dies. When the pages
// of spaces are used up the file grows: spaces are appended behind the bracket, and then the bracket moves to the end.
// Only that move, two stores to memory, could be caught in the middle.
//
// Thread safety: none; the writer thread owns it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reprise_runtime::diagnose {

class TraceFile {
 public:
  // `limit` is the largest size in bytes.
  TraceFile(const char* path, uint64_t limit);
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  // Whether the limit is reached: nothing more is written.
  bool full() const { return full_; }

  // Appends one event: an object in JSON, of less than a page. The comma is added.
  void add(std::string_view event);
  // Writes the events added so far.
  void flush();
  // Removes the spaces at the end. Nothing follows.
  void close();

 private:
  static constexpr uint64_t page_bytes = 4096;

  bool write_page(std::string_view text);
  bool grow();

  int descriptor_ = -1;
  const uint64_t limit_;
  uint64_t next_page_ = 0;  // where the next page of events is written
  uint64_t pages_ = 0;      // of the file; the last one has the bracket
  bool full_ = false;
  std::string page_;  // events not yet written
};

}  // namespace reprise_runtime::diagnose

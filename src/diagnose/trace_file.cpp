#include "diagnose/trace_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace reprise_runtime::diagnose {
namespace {

constexpr std::string_view last_page_text = "{}]\n";
constexpr uint64_t first_pages = 256, most_pages_at_once = 16384;

bool write_at(int descriptor, const std::string& text, uint64_t offset) {
  return pwrite(descriptor, text.data(), text.size(), static_cast<off_t>(offset)) == static_cast<ssize_t>(text.size());
}

}  // namespace

TraceFile::TraceFile(const char* path, uint64_t limit) : limit_(limit) {
  descriptor_ = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    std::fprintf(stderr, "REPRISE_TRACE: cannot open %s for writing; no trace is written\n", path);
    return;
  }
  // One call makes a valid file.
  std::string start(2 * page_bytes, ' ');
  start[0] = '[';
  start[page_bytes - 1] = '\n';
  start.replace(page_bytes, last_page_text.size(), last_page_text);
  if (!write_at(descriptor_, start, 0)) {
    std::fprintf(stderr, "REPRISE_TRACE: cannot write to %s\n", path);
    ::close(descriptor_);
    descriptor_ = -1;
    return;
  }
  next_page_ = 1;
  pages_ = 2;
}

// Doubles the file. A failure, as on a full disk, ends the trace; the file stays valid.
bool TraceFile::grow() {
  const uint64_t most = limit_ / page_bytes;
  if (pages_ >= most) return false;
  const uint64_t more = std::min(std::clamp(pages_, first_pages, most_pages_at_once), most - pages_);
  const std::string spaces(more * page_bytes, ' ');
  if (!write_at(descriptor_, spaces, pages_ * page_bytes)) return false;
  const auto map = [&](uint64_t page) {
    return static_cast<char*>(mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor_,
                                   static_cast<off_t>(page * page_bytes)));
  };
  char* old_last = map(pages_ - 1);
  char* new_last = map(pages_ + more - 1);
  const bool mapped = old_last != MAP_FAILED && new_last != MAP_FAILED;
  if (mapped) {
    // Four bytes each, aligned: two stores.
    const uint32_t bracket = *reinterpret_cast<const volatile uint32_t*>(old_last);
    *reinterpret_cast<volatile uint32_t*>(new_last) = bracket;
    *reinterpret_cast<volatile uint32_t*>(old_last) = 0x20202020;
  }
  if (old_last != MAP_FAILED) munmap(old_last, page_bytes);
  if (new_last != MAP_FAILED) munmap(new_last, page_bytes);
  if (!mapped) return false;
  pages_ += more;
  return true;
}

bool TraceFile::write_page(std::string_view text) {
  if (next_page_ + 1 >= pages_ && !grow()) return false;
  std::string page(page_bytes, ' ');
  page.replace(0, text.size(), text);
  page.back() = '\n';
  if (!write_at(descriptor_, page, next_page_ * page_bytes)) return false;
  ++next_page_;
  return true;
}

void TraceFile::add(std::string_view event) {
  if (full_ || event.size() + 3 > page_bytes) return;
  if (page_.size() + event.size() + 3 > page_bytes) flush();
  page_.append(event).append(",\n");
}

void TraceFile::flush() {
  if (page_.empty() || full_) return;
  full_ = !write_page(page_);
  page_.clear();
  if (!full_) return;
  // The bracket's page has room before the bracket.
  const std::string last =
      "{\"ph\":\"i\",\"ts\":0,\"pid\":1,\"tid\":0,\"s\":\"g\",\"name\":\"the trace ends here: REPRISE_TRACE_MB\"}]\n";
  write_at(descriptor_, last, (pages_ - 1) * page_bytes);
}

void TraceFile::close() {
  flush();
  // Leaves the bracket where it is if no page is spare.
  if (!full_ && next_page_ + 1 < pages_) {
    std::string end(page_bytes, ' ');
    end.replace(0, last_page_text.size(), last_page_text);
    // The truncation is the second half of moving the bracket.
    if (write_at(descriptor_, end, next_page_ * page_bytes))
      static_cast<void>(!ftruncate(descriptor_, static_cast<off_t>((next_page_ + 1) * page_bytes)));
  }
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace reprise_runtime::diagnose

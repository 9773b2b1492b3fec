#include "memory/pool/pool_file.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory/address/address_window.h"

namespace reprise_runtime::memory {
namespace {

// The header of the file, which identifies it.
struct Header {
  static constexpr std::uint64_t magic[] = {0x6c6f6f7065736972ULL, 0x6d656d7065736972ULL};  // by use
  std::uint64_t mark = 0;
  std::int64_t device = 0;
};
constexpr std::size_t header_bytes = std::size_t{2} << 20;  // memory starts on a huge page

}  // namespace

const std::size_t PoolFile::first_offset = header_bytes;

Ref<PoolFile> PoolFile::create(int device, FileUse use) {
  const int descriptor = memfd_create("reprise-pool", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  Header header;
  header.mark = Header::magic[static_cast<int>(use)];
  header.device = device;
  struct stat facts{};
  if (ftruncate(descriptor, header_bytes) != 0 || pwrite(descriptor, &header, sizeof header, 0) != sizeof header ||
      fstat(descriptor, &facts) != 0) {
    close(descriptor);
    return nullptr;
  }
  Ref<PoolFile> file = Ref<PoolFile>::adopt(new PoolFile(descriptor, facts.st_ino, device));
  file->end_ = header_bytes;
  return file;
}

Ref<PoolFile> PoolFile::open(int descriptor, FileUse use) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (own < 0) return nullptr;
  Header header;
  struct stat facts{};
  if (pread(own, &header, sizeof header, 0) != sizeof header || header.mark != Header::magic[static_cast<int>(use)] ||
      fstat(own, &facts) != 0) {
    close(own);
    return nullptr;
  }
  return Ref<PoolFile>::adopt(new PoolFile(own, facts.st_ino, static_cast<int>(header.device)));
}

PoolFile::~PoolFile() { close(descriptor_); }

int PoolFile::share() const { return fcntl(descriptor_, F_DUPFD_CLOEXEC, 3); }

bool PoolFile::take(std::size_t bytes, std::size_t& offset) {
  if (auto hole = holes_.lower_bound(bytes); hole != holes_.end()) {
    offset = hole->second;
    const std::size_t left = hole->first - bytes;
    holes_.erase(hole);
    if (left) holes_.emplace(left, offset + bytes);
    return true;
  }
  if (ftruncate(descriptor_, static_cast<off_t>(end_ + bytes)) != 0) return false;
  offset = end_;
  end_ += bytes;
  return true;
}

void PoolFile::drop(std::size_t offset, std::size_t bytes) const {
  // If the system cannot punch holes, the memory is returned with the pool.
  static_cast<void>(fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                              static_cast<off_t>(bytes)));
}

void PoolFile::give_back(std::size_t offset, std::size_t bytes) {
  drop(offset, bytes);
  holes_.emplace(bytes, offset);
}

bool PoolFile::map(void* address, std::size_t offset, std::size_t bytes) const {
  return mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor_,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

Span* PoolFile::map(std::size_t offset, std::size_t bytes) const {
  return AddressWindow::instance().map_file(descriptor_, offset, bytes);
}

bool PoolFile::holds(std::size_t offset, std::size_t bytes) const {
  const std::size_t end = header_bytes + size();
  return bytes <= end && offset >= header_bytes && offset <= end - bytes;
}

std::size_t PoolFile::size() const {
  struct stat facts{};
  if (fstat(descriptor_, &facts) != 0) return 0;
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  return bytes > header_bytes ? bytes - header_bytes : 0;
}

}  // namespace reprise_runtime::memory

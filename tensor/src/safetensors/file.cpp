#include <reprise/capture.h>
#include <reprise/current_stream.h>
#include <reprise/error.h>
#include <reprise/factories.h>
#include <reprise/safetensors.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "kernels/device/device_error.h"
#include "kernels/tensor/copy.h"
#include "safetensors/header.h"

namespace reprise {
namespace {

using safetensors::Entry;
using safetensors::Header;

// The limit of the format.
constexpr std::uint64_t max_header_bytes = 100'000'000;

struct TypeName {
  DType dtype;
  const char* name;
};
constexpr TypeName type_names[] = {
    {DType::f64, "F64"}, {DType::f32, "F32"}, {DType::f16, "F16"}, {DType::bf16, "BF16"}, {DType::i64, "I64"},
    {DType::i32, "I32"}, {DType::i16, "I16"}, {DType::i8, "I8"},   {DType::u8, "U8"},     {DType::boolean, "BOOL"}};

const char* name_in_files(DType dtype) {
  for (const TypeName& type : type_names) {
    if (type.dtype == dtype) return type.name;
  }
  fail("a tensor of type ", dtype, " has no name in safetensors files");
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// A file that is being written; removed unless finish() is called.
class NewFile {
 public:
  explicit NewFile(const std::string& path)
      : path_(destination(path)), temporary_(path_ + ".part" + std::to_string(getpid())) {
    file_.reset(std::fopen(temporary_.c_str(), "wb"));
    check(file_ != nullptr, "writing ", temporary_, ": ", std::strerror(errno));
  }
  ~NewFile() {
    if (file_) std::remove(temporary_.c_str());
  }

  void write(const void* data, std::size_t bytes) {
    check(std::fwrite(data, 1, bytes, file_.get()) == bytes, "writing ", temporary_, ": ", std::strerror(errno));
  }
  void finish() {
    check(std::fflush(file_.get()) == 0, "writing ", temporary_, ": ", std::strerror(errno));
    check(std::rename(temporary_.c_str(), path_.c_str()) == 0, "writing ", path_, ": ", std::strerror(errno));
    file_.reset();
  }

 private:
  // The file that a symbolic link leads to. Renaming would replace a device, a pipe or a link, so those are refused.
  static std::string destination(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    check(status.type() == fs::file_type::not_found || fs::is_regular_file(status), "save_safetensors: ", path,
          error ? ": " + error.message() : " exists and is not a regular file; give the name of a file");
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    const fs::path target = fs::weakly_canonical(path, error);
    check(!error, "save_safetensors: ", path, " is a symbolic link: ", error.message());
    return target.string();
  }

  std::string path_, temporary_;
  File file_;
};

void check_not_capturing(const char* operation) {
  check(!is_capturing(current_stream()), operation,
        ": the current stream is capturing, and the host cannot wait for what is only recorded");
}

std::vector<char> bytes_of(const Tensor& tensor) {
  tensor.body().memory->check_readable();
  tensor.body().memory->wait_for_other_streams(current_stream());
  const Tensor dense = kernels::contiguous(tensor);
  std::vector<char> bytes(static_cast<std::size_t>(dense.numel()) * size_of(dense.dtype()));
  if (bytes.empty()) return bytes;
  check_cuda(cudaMemcpyAsync(bytes.data(), dense.data(), bytes.size(), cudaMemcpyDeviceToHost, current_stream()),
             "copying a tensor to be saved");
  check_cuda(cudaStreamSynchronize(current_stream()), "copying a tensor to be saved");
  kernels::check_device_error();
  return bytes;
}

std::uint64_t read_length(const unsigned char (&bytes)[8]) {
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  return length;
}

void read(std::FILE* file, void* to, std::uint64_t bytes, const std::string& path) {
  check(std::fread(to, 1, bytes, file) == bytes, path, " is shorter than its header says");
}

// Checks that the offsets match the shape and type, and returns the type.
DType check_entry(const std::string& name, const Entry& entry, std::uint64_t data_bytes, const std::string& path) {
  auto type = std::find_if(std::begin(type_names), std::end(type_names),
                           [&](const TypeName& type) { return entry.dtype == type.name; });
  check(type != std::end(type_names), path, ": \"", name, "\" is of type ", entry.dtype, ", which is not supported");
  check(entry.shape.size() <= Sizes::capacity, path, ": \"", name, "\" has ", entry.shape.size(), " dimensions");
  std::uint64_t bytes = size_of(type->dtype);
  for (std::int64_t size : entry.shape) {
    const auto factor = static_cast<std::uint64_t>(size);
    check(factor == 0 || bytes <= std::numeric_limits<std::uint64_t>::max() / factor, path, ": \"", name,
          "\" is too large");
    bytes *= factor;
  }
  check(entry.begin <= entry.end && entry.end <= data_bytes && entry.end - entry.begin == bytes, path, ": \"", name,
        "\" of shape ", Sizes(entry.shape), " cannot be at bytes ", entry.begin, " to ", entry.end, " of ", data_bytes);
  return type->dtype;
}

// Checks that every byte belongs to exactly one tensor.
void check_no_overlap(const Header& header, std::uint64_t data_bytes, const std::string& path) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [name, entry] : header.entries) ranges.emplace_back(entry.begin, entry.end);
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t at = 0;
  for (const auto& [begin, end] : ranges) {
    check(begin == at, path, ": the tensors overlap or leave a gap at byte ", at);
    at = end;
  }
  check(at == data_bytes, path, ": ", data_bytes - at, " bytes after the last tensor");
}

Tensor to_device(const std::vector<char>& bytes, const Sizes& sizes, DType dtype) {
  Tensor tensor = empty(sizes, dtype);
  if (bytes.empty()) return tensor;
  check_cuda(cudaMemcpyAsync(tensor.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, current_stream()),
             "copying a loaded tensor");
  check_cuda(cudaStreamSynchronize(current_stream()), "copying a loaded tensor");
  return tensor;
}

}  // namespace

void save_safetensors(const std::string& path, const TensorMap& tensors, const StringMap& metadata) {
  check_not_capturing("save_safetensors");
  Header header;
  header.metadata = metadata;
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    check(name != "__metadata__", "save_safetensors: no tensor can be named __metadata__");
    const std::uint64_t bytes = static_cast<std::uint64_t>(tensor.numel()) * size_of(tensor.dtype());
    header.entries[name] = {name_in_files(tensor.dtype()), tensor.sizes().vector(), at, at + bytes};
    at += bytes;
  }
  std::string text = safetensors::write_header(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data is aligned
  unsigned char length[8];
  for (int i = 0; i < 8; ++i) length[i] = static_cast<unsigned char>(text.size() >> (8 * i));
  NewFile file(path);
  file.write(length, sizeof length);
  file.write(text.data(), text.size());
  for (const auto& [name, tensor] : tensors) {
    const std::vector<char> bytes = bytes_of(tensor);
    file.write(bytes.data(), bytes.size());
  }
  file.finish();
}

TensorMap load_safetensors(const std::string& path, StringMap* metadata) {
  check_not_capturing("load_safetensors");
  File file(std::fopen(path.c_str(), "rb"));
  check(file != nullptr, "reading ", path, ": ", std::strerror(errno));
  check(std::fseek(file.get(), 0, SEEK_END) == 0, "reading ", path, ": ", std::strerror(errno));
  const auto file_bytes = static_cast<std::uint64_t>(std::ftell(file.get()));
  std::rewind(file.get());
  unsigned char length_bytes[8];
  read(file.get(), length_bytes, 8, path);
  const std::uint64_t length = read_length(length_bytes);
  check(length <= max_header_bytes && length <= file_bytes - 8, path,
        " is not a safetensors file: it begins with a header length of ", length, " bytes, in a file of ", file_bytes);
  std::string text(length, '\0');
  read(file.get(), text.data(), length, path);
  Header header = safetensors::parse_header(text);
  const std::uint64_t data_begin = 8 + length, data_bytes = file_bytes - data_begin;
  std::map<std::string, DType> types;
  for (const auto& [name, entry] : header.entries) types[name] = check_entry(name, entry, data_bytes, path);
  check_no_overlap(header, data_bytes, path);
  TensorMap tensors;
  for (const auto& [name, entry] : header.entries) {
    std::vector<char> bytes(entry.end - entry.begin);
    check(std::fseek(file.get(), static_cast<long>(data_begin + entry.begin), SEEK_SET) == 0, "reading ", path);
    read(file.get(), bytes.data(), bytes.size(), path);
    tensors.emplace(name, to_device(bytes, Sizes(entry.shape), types[name]));
  }
  if (metadata) *metadata = header.metadata;
  return tensors;
}

}  // namespace reprise

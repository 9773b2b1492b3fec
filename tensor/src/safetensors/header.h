// The JSON header of a safetensors file. Knows nothing of tensors on a device.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::safetensors {

struct Entry {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // in the data, which follows the header
};

struct Header {
  std::map<std::string, Entry> entries;
  std::map<std::string, std::string> metadata;
};

std::string write_header(const Header& header);
// Throws Error at anything that is not such a header, naming the byte.
Header parse_header(std::string_view text);

}  // namespace reprise::safetensors

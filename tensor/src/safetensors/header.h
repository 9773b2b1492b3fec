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

// Throws Error if a name or a metadata string is not valid UTF-8.
std::string write_header(const Header& header);
// Throws Error if `text` is not a header, and says at which byte (bad JSON) or which key (JSON of another form). Every
// number of the result is between 0 and 2^63 - 1; whether shapes and offsets fit together is the caller's to check.
Header parse_header(std::string_view text);

}  // namespace reprise::safetensors

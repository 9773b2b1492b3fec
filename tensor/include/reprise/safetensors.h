// Files in the safetensors format, compatible with Hugging Face's library: eight bytes of header length, a JSON header
// with the type, shape and offsets of each tensor, then the data.
//
// Both functions copy through the host and wait for the current stream, so they throw while it is capturing.
#pragma once

#include <reprise/tensor.h>

#include <map>
#include <string>

namespace reprise {

using TensorMap = std::map<std::string, Tensor>;
using StringMap = std::map<std::string, std::string>;

// Writes to a temporary file next to `path` and renames it, so that `path` is never incomplete.
void save_safetensors(const std::string& path, const TensorMap& tensors, const StringMap& metadata = {});

// Loads all tensors, and the metadata into `*metadata` if given. Throws an Error that names the problem if the file is
// truncated, malformed, has overlapping tensors, or has unsupported element types.
TensorMap load_safetensors(const std::string& path, StringMap* metadata = nullptr);

}  // namespace reprise

// Tensors in files of the safetensors format: eight bytes of length, a JSON header with each tensor's type, shape and
// place, then the data. What Hugging Face's library writes is read here and the other way round.
//
// Both functions copy through the host and wait for the current stream, so they refuse to run during its capture.
#pragma once

#include <reprise/tensor.h>

#include <map>
#include <string>

namespace reprise {

using TensorMap = std::map<std::string, Tensor>;
using StringMap = std::map<std::string, std::string>;

// The file appears whole or not at all: it is written beside `path` and renamed.
void save_safetensors(const std::string& path, const TensorMap& tensors, const StringMap& metadata = {});

// All tensors of the file, with the metadata in `*metadata` if given. A file that is cut off, overlaps itself or has
// types that are not supported here is an Error that says what is wrong.
TensorMap load_safetensors(const std::string& path, StringMap* metadata = nullptr);

}  // namespace reprise

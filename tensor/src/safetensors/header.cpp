#include "safetensors/header.h"

#include <reprise/error.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace reprise::safetensors {
namespace {

using nlohmann::json;

// Receives the parts of the JSON text in their order (nlohmann's SAX interface). Unlike a tree of all values it needs
// no more memory than the header it fills, sees keys that occur twice, and stops at the first thing that a header
// cannot have.
class HeaderReader : public nlohmann::json_sax<json> {
 public:
  Header header;
  std::string error;  // why parsing stopped

  bool start_object(std::size_t) override {
    switch (place_) {
      case Place::start:
        return enter(Place::top);
      case Place::value_of_top:
        if (name_ == "__metadata__") return enter(Place::metadata);
        has_dtype_ = has_shape_ = has_offsets_ = false;
        entry_ = {};
        return enter(Place::entry);
      default:
        return unexpected("an object");
    }
  }

  bool key(std::string& key) override {
    switch (place_) {
      case Place::top:
        name_ = key;
        if (name_ == "__metadata__" ? has_metadata_ : header.entries.count(name_) != 0) return repeated(key);
        has_metadata_ = has_metadata_ || name_ == "__metadata__";
        return enter(Place::value_of_top);
      case Place::metadata:
        key_ = key;
        if (header.metadata.count(key) != 0) return repeated(key);
        return enter(Place::value_of_metadata);
      default:
        return entry_key(key);
    }
  }

  bool end_object() override {
    if (place_ == Place::top) return enter(Place::end);
    if (place_ == Place::entry) {
      if (!has_dtype_ || !has_shape_ || !has_offsets_)
        return stop("\"" + name_ + "\" lacks dtype, shape or data_offsets");
      header.entries.emplace(name_, std::move(entry_));
    }
    return enter(Place::top);
  }

  bool string(std::string& value) override {
    if (place_ == Place::value_of_metadata) {
      header.metadata[key_] = std::move(value);
      return enter(Place::metadata);
    }
    if (place_ != Place::dtype) return unexpected("a string");
    entry_.dtype = std::move(value);
    return enter(Place::entry);
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::shape && place_ != Place::offsets) return unexpected("an array");
    if (in_array_) return unexpected("an array within an array");
    in_array_ = true;
    numbers_.clear();
    return true;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (!in_array_) return unexpected("a number");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return stop("number too large in \"" + name_ + "\"");
    }
    numbers_.push_back(static_cast<std::int64_t>(value));
    return true;
  }

  bool end_array() override {
    in_array_ = false;
    if (place_ == Place::shape) {
      entry_.shape = numbers_;
    } else {
      if (numbers_.size() != 2) return stop("data_offsets of \"" + name_ + "\" are not two numbers");
      entry_.begin = static_cast<std::uint64_t>(numbers_[0]);
      entry_.end = static_cast<std::uint64_t>(numbers_[1]);
    }
    return enter(Place::entry);
  }

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(std::int64_t) override { return unexpected("a negative number"); }
  // Also whole numbers of more than 64 bits.
  bool number_float(double, const std::string& text) override { return unexpected("the number " + text); }
  bool binary(json::binary_t&) override { return unexpected("binary data"); }

  bool parse_error(std::size_t position, const std::string& token, const json::exception&) override {
    return stop("not JSON at byte " + std::to_string(position) + ", \"" + token.substr(0, 40) + "\"");
  }

 private:
  // Where the reader stands; a value_of... expects the value of the key before it.
  enum class Place { start, top, value_of_top, metadata, value_of_metadata, entry, dtype, shape, offsets, end };

  bool enter(Place place) {
    place_ = place;
    return true;
  }
  bool stop(std::string why) {
    error = std::move(why);
    return false;
  }
  bool repeated(const std::string& key) { return stop("the key \"" + key + "\" occurs twice"); }

  bool entry_key(const std::string& key) {
    key_ = key;
    bool* seen = key == "dtype"          ? &has_dtype_
                 : key == "shape"        ? &has_shape_
                 : key == "data_offsets" ? &has_offsets_
                                         : nullptr;
    if (!seen) return stop("\"" + name_ + "\" has the unknown key \"" + key + "\"");
    if (*seen) return stop("\"" + name_ + "\" has the key \"" + key + "\" twice");
    *seen = true;
    return enter(seen == &has_dtype_ ? Place::dtype : seen == &has_shape_ ? Place::shape : Place::offsets);
  }

  bool unexpected(const std::string& found) {
    switch (place_) {
      case Place::start:
        return stop("an object expected, not " + found);
      case Place::value_of_top:
        return stop("\"" + name_ + "\" must be an object, not " + found);
      case Place::value_of_metadata:
        return stop("the metadata \"" + key_ + "\" must be a string, not " + found);
      case Place::dtype:
        return stop("dtype of \"" + name_ + "\" must be a string, not " + found);
      default:
        return stop(key_ + " of \"" + name_ + "\" must be an array of whole numbers, not " + found);
    }
  }

  Place place_ = Place::start;
  std::string name_, key_;  // of the value that is being read: the tensor's name, and the key within
  Entry entry_;
  bool has_metadata_ = false, has_dtype_ = false, has_shape_ = false, has_offsets_ = false;
  bool in_array_ = false;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

std::string write_header(const Header& header) {
  json object = json::object();
  if (!header.metadata.empty()) object["__metadata__"] = header.metadata;
  for (const auto& [name, entry] : header.entries) {
    object[name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
  }
  try {
    return object.dump();
  } catch (const json::type_error& error) {
    fail("safetensors header: names and metadata must be valid UTF-8 (", error.what(), ")");
  }
}

Header parse_header(std::string_view text) {
  // The parser would skip a byte-order mark, and take a null byte for the end of the text.
  check(!text.empty() && text[0] == '{', "safetensors header: it must begin with '{'");
  const std::size_t null = text.find('\0');
  check(null == text.npos, "safetensors header: null byte at byte ", null);
  HeaderReader reader;
  check(json::sax_parse(text, &reader), "safetensors header: ", reader.error);
  return std::move(reader.header);
}

}  // namespace reprise::safetensors

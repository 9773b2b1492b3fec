#include "safetensors/header.h"

#include <reprise/error.h>

#include <cstdio>
#include <limits>

namespace reprise::safetensors {
namespace {

void write_string(std::string& out, std::string_view text) {
  out += '"';
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += static_cast<char>(c);
    }
  }
  out += '"';
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// The part of JSON that such headers are made of: objects, strings, arrays of whole numbers.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("safetensors header, byte " + std::to_string(at_) + ": " + what);
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("'") + c + "' expected");
  }

  void end() {
    skip_space();
    if (at_ != text_.size()) fail("text after the header's end");
  }

  std::string string() {
    expect('"');
    std::string out;
    while (true) {
      const unsigned char c = static_cast<unsigned char>(next());
      if (c == '"') return out;
      if (c < 0x20) fail("control character in a string");
      if (c == '\\') {
        escape(out);
      } else {
        out += static_cast<char>(c);
      }
    }
  }

  std::uint64_t number() {
    skip_space();
    const std::size_t first = at_;
    std::uint64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      const unsigned digit = static_cast<unsigned>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10) fail("number too large");
      value = value * 10 + digit;
      ++at_;
    }
    if (at_ == first) fail("whole number expected");
    return value;
  }

  std::vector<std::uint64_t> numbers() {
    expect('[');
    std::vector<std::uint64_t> out;
    if (take(']')) return out;
    do out.push_back(number());
    while (take(','));
    expect(']');
    return out;
  }

  // Calls `member(key)` at each value of an object.
  template <class Member>
  void object(Member member) {
    expect('{');
    if (take('}')) return;
    do {
      std::string key = string();
      expect(':');
      member(std::move(key));
    } while (take(','));
    expect('}');
  }

 private:
  char next() {
    if (at_ >= text_.size()) fail("the header ends inside a string");
    return text_[at_++];
  }

  unsigned hex4() {
    unsigned value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = next();
      value <<= 4;
      if (c >= '0' && c <= '9') {
        value |= static_cast<unsigned>(c - '0');
      } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
        value |= static_cast<unsigned>((c | 0x20) - 'a' + 10);
      } else {
        fail("four hexadecimal digits expected");
      }
    }
    return value;
  }

  void escape(std::string& out) {
    const char c = next();
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out += c;
        return;
      case 'b':
        out += '\b';
        return;
      case 'f':
        out += '\f';
        return;
      case 'n':
        out += '\n';
        return;
      case 'r':
        out += '\r';
        return;
      case 't':
        out += '\t';
        return;
      case 'u':
        break;
      default:
        fail("unknown escape in a string");
    }
    unsigned code = hex4();
    if (code >= 0xDC00 && code < 0xE000) fail("half of a surrogate pair");
    if (code >= 0xD800 && code < 0xDC00) {
      if (next() != '\\' || next() != 'u') fail("half of a surrogate pair");
      const unsigned low = hex4();
      if (low < 0xDC00 || low >= 0xE000) fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, code);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Entry parse_entry(Reader& reader, const std::string& name) {
  Entry entry;
  bool has_dtype = false, has_shape = false, has_offsets = false;
  reader.object([&](const std::string& key) {
    if (key == "dtype" && !has_dtype) {
      entry.dtype = reader.string();
      has_dtype = true;
    } else if (key == "shape" && !has_shape) {
      for (std::uint64_t size : reader.numbers()) entry.shape.push_back(static_cast<std::int64_t>(size));
      has_shape = true;
    } else if (key == "data_offsets" && !has_offsets) {
      const std::vector<std::uint64_t> offsets = reader.numbers();
      if (offsets.size() != 2) reader.fail("data_offsets of \"" + name + "\" are not two numbers");
      entry.begin = offsets[0];
      entry.end = offsets[1];
      has_offsets = true;
    } else {
      reader.fail("unknown or repeated key \"" + key + "\" of \"" + name + "\"");
    }
  });
  if (!has_dtype || !has_shape || !has_offsets) reader.fail("\"" + name + "\" lacks dtype, shape or data_offsets");
  return entry;
}

}  // namespace

std::string write_header(const Header& header) {
  std::string out = "{";
  const char* separator = "";
  if (!header.metadata.empty()) {
    out += "\"__metadata__\":{";
    for (const auto& [key, value] : header.metadata) {
      out += separator;
      write_string(out, key);
      out += ':';
      write_string(out, value);
      separator = ",";
    }
    out += '}';
    separator = ",";
  }
  for (const auto& [name, entry] : header.entries) {
    out += separator;
    write_string(out, name);
    out += ":{\"dtype\":";
    write_string(out, entry.dtype);
    out += ",\"shape\":[";
    for (std::size_t i = 0; i < entry.shape.size(); ++i) out += (i ? "," : "") + std::to_string(entry.shape[i]);
    out += "],\"data_offsets\":[" + std::to_string(entry.begin) + "," + std::to_string(entry.end) + "]}";
    separator = ",";
  }
  return out + "}";
}

Header parse_header(std::string_view text) {
  Reader reader(text);
  Header header;
  reader.object([&](const std::string& name) {
    if (name == "__metadata__") {
      reader.object([&](const std::string& key) { header.metadata[key] = reader.string(); });
    } else if (!header.entries.emplace(name, parse_entry(reader, name)).second) {
      reader.fail("\"" + name + "\" stands there twice");
    }
  });
  reader.end();
  return header;
}

}  // namespace reprise::safetensors

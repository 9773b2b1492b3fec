#include "device/printf_format.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace reprise_runtime::device {
namespace {

class PackedArguments {
 public:
  explicit PackedArguments(const void* at) : at_(static_cast<const char*>(at)) {}

  template <class T>
  T take() {
    ++taken_;
    offset_ = (offset_ + alignof(T) - 1) & ~(alignof(T) - 1);
    T value;
    std::memcpy(&value, at_ + offset_, sizeof value);
    offset_ += sizeof value;
    return value;
  }
  int taken() const { return taken_; }

 private:
  const char* at_;
  std::size_t offset_ = 0;
  int taken_ = 0;
};

// One conversion: "%-08.3" in text, without its size and type.
struct Conversion {
  std::string flags;
  int longs = 0;  // how many l: 0, 1 or 2, all of 8 bytes from 1 on
  int halves = 0;
  char type = 0;
};

// Reads one conversion from after its percent sign; returns what follows it.
const char* read_conversion(const char* at, PackedArguments& arguments, Conversion& conversion) {
  conversion.flags = "%";
  for (; *at != 0 && std::strchr("-+ #0123456789.*", *at) != nullptr; ++at) {
    if (*at == '*')
      conversion.flags += std::to_string(arguments.take<int>());
    else
      conversion.flags += *at;
  }
  for (; *at != 0 && std::strchr("hlzjtqL", *at) != nullptr; ++at) {
    if (*at == 'h')
      ++conversion.halves;
    else
      ++conversion.longs;
  }
  conversion.type = *at;
  return *at == 0 ? at : at + 1;
}

template <class... Value>
void append_converted(std::string& text, const std::string& conversion, Value... value) {
  char small[128];
  const int length = std::snprintf(small, sizeof small, conversion.c_str(), value...);
  if (length < 0) return;
  if (static_cast<std::size_t>(length) < sizeof small) {
    text.append(small, static_cast<std::size_t>(length));
    return;
  }
  std::string large(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(large.data(), large.size(), conversion.c_str(), value...);
  large.pop_back();
  text += large;
}

void append_integer(std::string& text, const Conversion& conversion, PackedArguments& arguments) {
  std::string flags = conversion.flags;
  if (conversion.longs > 0) {
    flags += "ll";
    flags += conversion.type;
    append_converted(text, flags, arguments.take<long long>());
    return;
  }
  flags.append(static_cast<std::size_t>(conversion.halves > 2 ? 2 : conversion.halves), 'h');
  flags += conversion.type;
  append_converted(text, flags, arguments.take<int>());
}

// Returns false for a conversion that device printf does not know; its text is then printed unchanged.
bool append_argument(std::string& text, const Conversion& conversion, PackedArguments& arguments) {
  switch (conversion.type) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      append_integer(text, conversion, arguments);
      return true;
    case 'c':
      append_converted(text, conversion.flags + 'c', arguments.take<int>());
      return true;
    case 'p':
      append_converted(text, conversion.flags + 'p', arguments.take<const void*>());
      return true;
    case 's': {
      const char* string = arguments.take<const char*>();
      append_converted(text, conversion.flags + 's', string == nullptr ? "(null)" : string);
      return true;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append_converted(text, conversion.flags + conversion.type, arguments.take<double>());
      return true;
    default:
      return false;
  }
}

}  // namespace

int append_formatted(std::string& text, const char* format, const void* packed_arguments) {
  if (format == nullptr) return -1;
  PackedArguments arguments(packed_arguments);
  while (*format != 0) {
    const char* percent = std::strchr(format, '%');
    if (percent == nullptr) {
      text += format;
      break;
    }
    text.append(format, percent);
    if (percent[1] == '%') {
      text += '%';
      format = percent + 2;
      continue;
    }
    Conversion conversion;
    format = read_conversion(percent + 1, arguments, conversion);
    if (!append_argument(text, conversion, arguments)) text.append(percent, format);
  }
  return arguments.taken();
}

}  // namespace reprise_runtime::device

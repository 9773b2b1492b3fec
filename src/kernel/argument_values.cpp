#include "kernel/argument_values.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace reprise_runtime::kernel {
namespace {

// The types in the last parentheses of a demangled name: {"int*", "int"} of "void fill<4>(int*, int)".
std::vector<std::string> types_of(const std::string& name) {
  const std::size_t close = name.rfind(')');
  if (close == std::string::npos) return {};
  std::size_t open = close;
  for (int depth = 0; open-- > 0;) {
    if (name[open] == ')') ++depth;
    if (name[open] == '(' && depth-- == 0) break;
  }
  if (open == std::string::npos) return {};
  std::vector<std::string> types;
  std::string type;
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    const char c = name[i];
    depth += c == '(' || c == '<' || c == '[' || c == '{';
    depth -= c == ')' || c == '>' || c == ']' || c == '}';
    if (c == ',' && depth == 0) {
      types.push_back(std::move(type));
      type.clear();
    } else if (c != ' ' || !type.empty()) {
      type += c;
    }
  }
  if (!type.empty() && type != "void") types.push_back(std::move(type));
  return types;
}

template <class T>
T read(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string bytes_of(const char* bytes, uint32_t size) {
  constexpr uint32_t most = 32;
  std::string words = std::to_string(size) + " bytes";
  char text[8];
  for (uint32_t i = 0; i < size && i < most; ++i) {
    std::snprintf(text, sizeof text, " %02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
    words += text;
  }
  return size > most ? words + " ..." : words;
}

// Also without a known type: kernels declared extern "C" have no types in their names.
std::string value_of(std::string_view type, const char* bytes, uint32_t size) {
  char text[64];
  const bool pointer = type.ends_with('*') || type.ends_with('&') || type.ends_with("* const");
  if (pointer && size == 8) {
    std::snprintf(text, sizeof text, "0x%" PRIx64, read<uint64_t>(bytes));
  } else if (type == "float" && size == 4) {
    std::snprintf(text, sizeof text, "%g", static_cast<double>(read<float>(bytes)));
  } else if (type == "double" && size == 8) {
    std::snprintf(text, sizeof text, "%g", read<double>(bytes));
  } else if (type == "bool" && size == 1) {
    return read<char>(bytes) ? "true" : "false";
  } else if (type.starts_with("unsigned") && size == 8) {
    std::snprintf(text, sizeof text, "%" PRIu64, read<uint64_t>(bytes));
  } else if (type.starts_with("unsigned") && size == 4) {
    std::snprintf(text, sizeof text, "%" PRIu32, read<uint32_t>(bytes));
  } else if ((type == "int" || type == "long" || type == "long long") && size == 8) {
    std::snprintf(text, sizeof text, "%" PRId64, read<int64_t>(bytes));
  } else if ((type == "int" || type == "long") && size == 4) {
    std::snprintf(text, sizeof text, "%" PRId32, read<int32_t>(bytes));
  } else if (type.empty() && size == 8) {
    std::snprintf(text, sizeof text, "0x%" PRIx64, read<uint64_t>(bytes));
  } else if (type.empty() && size == 4) {
    std::snprintf(text, sizeof text, "%" PRId32, read<int32_t>(bytes));
  } else {
    return bytes_of(bytes, size);
  }
  return text;
}

}  // namespace

std::string describe_arguments(const Function& function, const void* params) {
  const reprise_kernel* code = function.code_if_resolved();
  if (!code) return {};
  std::vector<std::string> types = types_of(function.readable_name());
  // Types of a template's name may be its parameters (T1), whose number is right; any other disagreement is an unknown
  // way to write a name.
  if (types.size() != code->param_count) types.assign(code->param_count, "");
  std::string words;
  for (uint32_t i = 0; i < code->param_count; ++i) {
    if (!words.empty()) words += ", ";
    if (!types[i].empty()) words += types[i] + " = ";
    words += value_of(types[i], static_cast<const char*>(params) + code->params[i].offset, code->params[i].size);
  }
  return words;
}

}  // namespace reprise_runtime::kernel

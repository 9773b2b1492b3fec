// The message of an operation that throws.
#pragma once

#include <reprise/error.h>

#include <string>

namespace reprise {

// The message of the Error that `work` throws.
template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace reprise

// The error of an index or a dimension that does not exist. Python's IndexError is made of it.
#pragma once

#include <reprise/error.h>

namespace reprise {

class IndexError : public Error {
 public:
  using Error::Error;
};

}  // namespace reprise

#include <reprise/index_error.h>
#include <reprise/sizes.h>

#include <ostream>
#include <sstream>

namespace reprise {

std::ostream& operator<<(std::ostream& out, const Sizes& sizes) {
  out << '[';
  for (int i = 0; i < sizes.size(); ++i) out << (i ? ", " : "") << sizes[i];
  return out << ']';
}

Sizes contiguous_strides(const Sizes& sizes) {
  Sizes strides = sizes;
  std::int64_t stride = 1;
  for (int i = sizes.size() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
  }
  return strides;
}

Sizes broadcast(const Sizes& a, const Sizes& b, const char* operation) {
  const Sizes& longer = a.size() >= b.size() ? a : b;
  const Sizes& shorter = a.size() >= b.size() ? b : a;
  Sizes result = longer;
  int offset = longer.size() - shorter.size();
  for (int i = 0; i < shorter.size(); ++i) {
    std::int64_t& size = result[i + offset];
    if (size == 1) {
      size = shorter[i];
    } else if (shorter[i] != size && shorter[i] != 1) {
      fail(operation, ": sizes ", a, " and ", b, " do not broadcast");
    }
  }
  return result;
}

int wrap_dimension(std::int64_t dim, const Sizes& sizes, const char* operation, int more) {
  // A tensor without dimensions accepts the dimensions 0 and -1.
  std::int64_t range = std::max(sizes.size() + more, 1);
  if (dim < -range || dim >= range) {
    std::ostringstream text;
    text << operation << ": there is no dimension " << dim << " in a tensor of " << sizes
         << (more ? " and one more" : "");
    throw IndexError(text.str());
  }
  return static_cast<int>(dim < 0 ? dim + range : dim);
}

}  // namespace reprise

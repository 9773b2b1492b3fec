// Prints tensors in PyTorch's format: four digits, columns of equal width, "..." in tensors of more than a thousand
// elements.
#include <reprise/tensor.h>

#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

namespace reprise {
namespace {

constexpr int line_width = 80;
constexpr std::int64_t edge = 3;           // elements shown at each end
constexpr std::int64_t most_shown = 1000;  // elements printed without "..."

// Can represent every value of every element type.
using Number = long double;

std::vector<Number> numbers(const Tensor& x) {
  auto widened = [](const auto& values) { return std::vector<Number>(values.begin(), values.end()); };
  return !is_floating(x.dtype()) && x.dtype() != DType::boolean ? widened(x.to_vector<std::int64_t>())
                                                                : widened(x.to_vector<double>());
}

std::string number(const char* format, Number value) {
  char text[400];
  std::snprintf(text, sizeof text, format, value);
  std::string result = text;
  return std::isnan(value) ? "nan" : result;
}

// The format of the values of one tensor: integers, decimals or scientific, all of one width.
class Format {
 public:
  Format(DType dtype, const std::vector<Number>& values) : dtype_(dtype) {
    if (is_floating(dtype)) choose(values);
    for (Number value : values) {
      if (!is_floating(dtype) || (std::isfinite(value) && value != 0)) width_ = std::max(width_, bare(value).size());
    }
  }

  std::string operator()(Number value) const {
    std::string text = bare(value);
    return std::string(text.size() < width_ ? width_ - text.size() : 0, ' ') + text;
  }
  int width() const { return static_cast<int>(width_); }

 private:
  enum class Kind { whole, decimals, powers };

  void choose(const std::vector<Number>& values) {
    Number least = INFINITY, most = 0;
    bool whole = true;
    for (Number value : values) {
      if (!std::isfinite(value) || value == 0) continue;
      least = std::min(least, std::abs(value));
      most = std::max(most, std::abs(value));
      whole = whole && value == std::ceil(value);
    }
    if (most == 0) return;
    kind_ = whole ? Kind::whole : Kind::decimals;
    if (most / least > 1000 || most > 1e8 || (!whole && least < 1e-4)) kind_ = Kind::powers;
  }

  std::string bare(Number value) const {
    if (dtype_ == DType::boolean) return value != 0 ? "True" : "False";
    if (!is_floating(dtype_)) return number("%.0Lf", value);
    if (kind_ == Kind::powers) return number("%.4Le", value);
    if (kind_ == Kind::decimals) return number("%.4Lf", value);
    return number("%.0Lf", value) + (std::isfinite(value) ? "." : "");
  }

  DType dtype_;
  Kind kind_ = Kind::whole;
  std::size_t width_ = 1;
};

class Printer {
 public:
  explicit Printer(const Tensor& x)
      : x_(x), shortened_(x.numel() > most_shown), values_(numbers(x)), format_(x.dtype(), shown_values()) {}

  std::string text(int indent) const { return text(0, 0, indent); }

 private:
  // The indices of dimension `dim` that are shown; -1 is "...".
  std::vector<std::int64_t> shown(int dim) const {
    std::int64_t size = x_.sizes()[dim];
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < size; ++i) {
      if (!shortened_ || size <= 2 * edge || i < edge || i >= size - edge) {
        indices.push_back(i);
      } else if (indices.back() != -1) {
        indices.push_back(-1);
      }
    }
    return indices;
  }

  void collect(int dim, std::int64_t at, std::vector<Number>& into) const {
    if (dim == x_.dim()) return into.push_back(values_[static_cast<std::size_t>(at)]);
    for (std::int64_t i : shown(dim)) {
      if (i >= 0) collect(dim + 1, at * x_.sizes()[dim] + i, into);
    }
  }

  std::vector<Number> shown_values() const {
    std::vector<Number> all;
    if (x_.numel() > 0) collect(0, 0, all);
    return all;
  }

  // A row of the last dimension, broken into lines.
  std::string row(std::int64_t at, int indent) const {
    int in_line = std::max(1, (line_width - indent) / (format_.width() + 2)), count = 0;
    std::string text = "[";
    for (std::int64_t i : shown(x_.dim() - 1)) {
      if (count > 0) text += count % in_line == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      text += i < 0 ? " ..." : format_(values_[static_cast<std::size_t>(at * x_.sizes().back() + i)]);
      ++count;
    }
    return text + "]";
  }

  std::string text(int dim, std::int64_t at, int indent) const {
    if (dim == x_.dim()) return format_(values_[static_cast<std::size_t>(at)]);
    if (dim == x_.dim() - 1) return row(at, indent);
    std::string separator = "," + std::string(x_.dim() - dim - 1, '\n') + std::string(indent + 1, ' '), text = "[";
    for (std::int64_t i : shown(dim)) {
      if (text.size() > 1) text += separator;
      text += i < 0 ? "..." : this->text(dim + 1, at * x_.sizes()[dim] + i, indent + 1);
    }
    return text + "]";
  }

  const Tensor& x_;
  bool shortened_;
  std::vector<Number> values_;
  Format format_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) {
  if (!tensor.defined()) return out << "tensor(undefined)";
  std::string text = tensor.numel() == 0 ? "[]" : Printer(tensor).text(7);
  out << "tensor(" << text;
  if (tensor.numel() == 0 && tensor.dim() != 1) out << ", size=" << tensor.sizes();
  if (tensor.dtype() != DType::f32 && tensor.dtype() != DType::i64 && tensor.dtype() != DType::boolean) {
    std::string suffix = std::string("dtype=") + name_of(tensor.dtype());
    std::size_t last_line = text.size() - (text.rfind('\n') + 1) + 2;
    out << (last_line + suffix.size() + 2 > line_width ? ",\n       " : ", ") << suffix;
  }
  return out << ")";
}

}  // namespace reprise

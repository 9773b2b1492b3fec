// Products in PyTorch's words, einsum, triangles.
#include <map>

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/factories.h"
#include "kernels/tensor/views.h"
#include "ops/broadcast.h"
#include "ops/masked.h"

namespace reprise {
namespace {

void check_dims(const char* operation, const Tensor& a, int of_a, const Tensor& b, int of_b) {
  check(a.dim() == of_a && b.dim() == of_b, operation, ": expects ", of_a, " and ", of_b, " dimensions, not ",
        a.sizes(), " and ", b.sizes());
}

// One operand of einsum: a tensor whose dimensions are named by letters.
struct Named {
  Tensor x;
  std::string letters;

  std::size_t at(char letter) const { return letters.find(letter); }
  bool has(char letter) const { return at(letter) != std::string::npos; }
  std::int64_t size(char letter) const { return x.size(static_cast<std::int64_t>(at(letter))); }
};

// The diagonal of repeated letters: "ii" becomes "i".
Named without_repeats(Named operand, const std::string& equation) {
  for (std::size_t i = 0; i < operand.letters.size(); ++i) {
    const std::size_t j = operand.letters.find(operand.letters[i], i + 1);
    if (j == std::string::npos) continue;
    const auto first = static_cast<std::int64_t>(i), second = static_cast<std::int64_t>(j);
    const std::int64_t size = operand.x.size(first);
    check(size == operand.x.size(second), "einsum \"", equation, "\": the diagonal of ", operand.x.sizes());
    Sizes along = Sizes::filled(operand.x.dim(), 1), across = along;
    along[static_cast<int>(i)] = size;
    across[static_cast<int>(j)] = size;
    const Tensor diagonal =
        kernels::eq(kernels::view(kernels::arange(0, size), along), kernels::view(kernels::arange(0, size), across));
    operand.x = sum(ops::masked(operand.x, diagonal, true), {second});
    operand.letters.erase(j, 1);
    return without_repeats(operand, equation);
  }
  return operand;
}

Named summed(const Named& operand, const std::string& kept) {
  Sizes dims;
  std::string left;
  for (std::size_t i = 0; i < operand.letters.size(); ++i) {
    if (kept.find(operand.letters[i]) == std::string::npos) {
      dims.push_back(static_cast<std::int64_t>(i));
    } else {
      left += operand.letters[i];
    }
  }
  return dims.empty() ? operand : Named{sum(operand.x, dims), left};
}

// The dimensions in the order of `letters`, all of which the operand has.
Tensor in_order_of(const Named& operand, const std::string& letters) {
  Sizes order;
  for (char letter : letters) order.push_back(static_cast<std::int64_t>(operand.at(letter)));
  return operand.x.permute(order);
}

// Sums over the letters that are neither in `kept` nor needed: one batched product.
Named multiplied(const Named& a, const Named& b, const std::string& kept, const std::string& equation) {
  std::string batch, terms, of_a, of_b;
  for (char letter : a.letters) {
    if (b.has(letter)) {
      check(a.size(letter) == b.size(letter), "einsum \"", equation, "\": ", letter, " is ", a.size(letter), " in ",
            a.x.sizes(), " and ", b.size(letter), " in ", b.x.sizes());
      (kept.find(letter) == std::string::npos ? terms : batch) += letter;
    } else {
      of_a += letter;
    }
  }
  for (char letter : b.letters) {
    if (!a.has(letter)) of_b += letter;
  }
  auto count = [](const Named& operand, const std::string& letters) {
    std::int64_t all = 1;
    for (char letter : letters) all *= operand.size(letter);
    return all;
  };
  const std::int64_t batches = count(a, batch), depth = count(a, terms), rows = count(a, of_a),
                     columns = count(b, of_b);
  const Tensor left = in_order_of(a, batch + of_a + terms).reshape({batches, rows, depth}),
               right = in_order_of(b, batch + terms + of_b).reshape({batches, depth, columns});
  Sizes sizes;
  for (char letter : batch + of_a) sizes.push_back(a.size(letter));
  for (char letter : of_b) sizes.push_back(b.size(letter));
  return {matmul(left, right).reshape(sizes), batch + of_a + of_b};
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Letters that appear once, in alphabetical order, as PyTorch's implicit result.
std::string implicit_result(const std::string& inputs) {
  std::map<char, int> counts;
  for (char c : inputs) {
    if (c != ',') ++counts[c];
  }
  std::string result;
  for (const auto& [letter, count] : counts) {
    if (count == 1) result += letter;
  }
  return result;
}

// The rows and columns of the last two dimensions as comparable numbers.
Tensor triangle(const Tensor& x, std::int64_t diagonal, bool lower, const char* operation) {
  check(x.dim() >= 2, operation, ": ", x.sizes(), " is not a matrix");
  const Tensor rows = kernels::view(kernels::arange(0, x.size(-2)), {x.size(-2), 1}),
               columns = kernels::arange(0, x.size(-1)), limit = kernels::add(rows, Scalar(diagonal));
  return ops::masked(x, lower ? kernels::le(columns, limit) : kernels::ge(columns, limit), true);
}

}  // namespace

Tensor mm(const Tensor& a, const Tensor& b) {
  check_dims("mm", a, 2, b, 2);
  return matmul(a, b);
}
Tensor bmm(const Tensor& a, const Tensor& b) {
  check_dims("bmm", a, 3, b, 3);
  check(a.size(0) == b.size(0), "bmm: batches of ", a.sizes(), " and ", b.sizes());
  return matmul(a, b);
}
Tensor mv(const Tensor& a, const Tensor& b) {
  check_dims("mv", a, 2, b, 1);
  return matmul(a, b);
}
Tensor dot(const Tensor& a, const Tensor& b) {
  check_dims("dot", a, 1, b, 1);
  check(a.numel() == b.numel(), "dot: ", a.sizes(), " and ", b.sizes());
  return sum(mul(a, b));
}
Tensor outer(const Tensor& a, const Tensor& b) {
  check_dims("outer", a, 1, b, 1);
  return mul(a.unsqueeze(1), b);
}
Tensor addmm(const Tensor& x, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
  const Tensor product = mm(a, b), scaled = alpha.value() == 1 ? product : mul(product, alpha);
  return beta.value() == 0 ? scaled : add(beta.value() == 1 ? x : mul(x, beta), scaled);
}

Tensor einsum(const std::string& equation, const std::vector<Tensor>& operands) {
  std::string text;
  for (char c : equation) {
    if (c != ' ') text += c;
  }
  const std::size_t arrow = text.find("->");
  const std::string inputs = text.substr(0, arrow),
                    result = arrow == std::string::npos ? implicit_result(inputs) : text.substr(arrow + 2);
  const std::vector<std::string> names = parts_of(inputs);
  check(names.size() == operands.size(), "einsum \"", equation, "\" of ", operands.size(), " tensors");
  std::vector<Named> parts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (char c : names[i]) check(std::isalpha(c), "einsum \"", equation, "\": \"", c, "\" is not a letter");
    check(static_cast<int>(names[i].size()) == operands[i].dim(), "einsum \"", equation, "\": \"", names[i],
          "\" does not name the dimensions of ", operands[i].sizes());
    parts.push_back(without_repeats({operands[i], names[i]}, equation));
  }
  for (char c : result) {
    check(inputs.find(c) != std::string::npos && result.find(c) == result.rfind(c), "einsum \"", equation, "\": \"", c,
          "\" of the result");
  }
  Named made = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::string later = result;
    for (std::size_t j = i + 1; j < parts.size(); ++j) later += parts[j].letters;
    made = multiplied(summed(made, later + parts[i].letters), summed(parts[i], later + made.letters), later, equation);
  }
  return in_order_of(summed(made, result), result);
}

Tensor tril(const Tensor& x, std::int64_t diagonal) { return triangle(x, diagonal, true, "tril"); }
Tensor triu(const Tensor& x, std::int64_t diagonal) { return triangle(x, diagonal, false, "triu"); }

}  // namespace reprise

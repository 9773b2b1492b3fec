// Operations on tensors. They are recorded for autograd if an argument requires gradients.
//
// Operands of binary operations broadcast, and the result has the promoted type. All work is submitted to the current
// stream and can be captured.
#pragma once

#include <reprise/int_pair.h>
#include <reprise/reduction.h>
#include <reprise/scalar.h>
#include <reprise/tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace reprise {

// Elementwise.
Tensor add(const Tensor& a, const Tensor& b);
Tensor add(const Tensor& a, Scalar b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, Scalar b);
Tensor sub(Scalar a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, Scalar b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, Scalar b);
Tensor div(Scalar a, const Tensor& b);
Tensor pow(const Tensor& a, const Tensor& b);
Tensor pow(const Tensor& a, Scalar b);
Tensor neg(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor gelu(const Tensor& x);  // exact, with erf
Tensor minimum(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);
Tensor clamp(const Tensor& x, Scalar low, Scalar high);
// `a` where the condition is true, `b` elsewhere.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
inline Tensor operator+(const Tensor& a, Scalar b) { return add(a, b); }
inline Tensor operator+(Scalar a, const Tensor& b) { return add(b, a); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
inline Tensor operator-(const Tensor& a, Scalar b) { return sub(a, b); }
inline Tensor operator-(Scalar a, const Tensor& b) { return sub(a, b); }
inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
inline Tensor operator*(const Tensor& a, Scalar b) { return mul(a, b); }
inline Tensor operator*(Scalar a, const Tensor& b) { return mul(b, a); }
inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator/(const Tensor& a, Scalar b) { return div(a, b); }
inline Tensor operator/(Scalar a, const Tensor& b) { return div(a, b); }
inline Tensor operator-(const Tensor& x) { return neg(x); }

// Comparisons: the results are bool and have no gradients. There are no operators == and !=, which could be mistaken
// for comparisons of handles.
Tensor eq(const Tensor& a, const Tensor& b);
Tensor eq(const Tensor& a, Scalar b);
Tensor ne(const Tensor& a, const Tensor& b);
Tensor ne(const Tensor& a, Scalar b);
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator<(const Tensor& a, Scalar b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, Scalar b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, Scalar b);
Tensor operator>=(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, Scalar b);
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& x);

// Reductions over `dims`, or over all dimensions if it is empty.
Tensor sum(const Tensor& x, const Sizes& dims = {}, bool keepdim = false);
Tensor mean(const Tensor& x, const Sizes& dims = {}, bool keepdim = false);
Tensor max(const Tensor& x);
Tensor min(const Tensor& x);
struct ValuesAndIndices {
  Tensor values, indices;
};
// The index is that of the first of equal extrema.
ValuesAndIndices max(const Tensor& x, std::int64_t dim, bool keepdim = false);
ValuesAndIndices min(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor argmax(const Tensor& x, std::int64_t dim, bool keepdim = false);

// Products of matrices or of batches of matrices, which broadcast. Transposed views are not copied.
Tensor matmul(const Tensor& a, const Tensor& b);
// x weight^T + bias; the bias may be undefined.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});
// relu(linear(...)) as one operation: saves one tensor for backward instead of two, and takes no more launches than
// linear.
Tensor linear_relu(const Tensor& x, const Tensor& weight, const Tensor& bias = {});
// gelu(linear(...)) with no more launches than linear.
Tensor linear_gelu(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

// Concatenation and splitting.
Tensor cat(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
Tensor stack(const std::vector<Tensor>& tensors, std::int64_t dim = 0);
std::vector<Tensor> split(const Tensor& x, std::int64_t size, std::int64_t dim = 0);

// Neural networks.
Tensor softmax(const Tensor& x, std::int64_t dim = -1);
Tensor log_softmax(const Tensor& x, std::int64_t dim = -1);
// Over the last dimension; weight and bias may be undefined.
Tensor layer_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {}, double epsilon = 1e-5);
Tensor dropout(const Tensor& x, double probability = 0.5, bool training = true);
// An index out of range is an error, thrown when a value is next read or a graph replayed.
Tensor embedding(const Tensor& indices, const Tensor& weight);
// [batch, in, height, width] by [out, in / groups, height, width]; the bias may be undefined.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, IntPair stride = 1, IntPair padding = 0,
              IntPair dilation = 1, std::int64_t groups = 1);
// [batch, in, length] by [out, in / groups, length].
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, std::int64_t stride = 1,
              std::int64_t padding = 0, std::int64_t dilation = 1, std::int64_t groups = 1);
// [batch, in, height, width] by [in, out / groups, height, width].
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, IntPair stride = 1,
                        IntPair padding = 0, IntPair output_padding = 0, std::int64_t groups = 1, IntPair dilation = 1);
// A stride of 0 means kernel_size. avg_pool2d counts the zeros of the padding.
Tensor max_pool2d(const Tensor& x, std::int64_t kernel_size, std::int64_t stride = 0, std::int64_t padding = 0);
Tensor avg_pool2d(const Tensor& x, std::int64_t kernel_size, std::int64_t stride = 0, std::int64_t padding = 0);
// Losses, averaged or summed, of the type of their first argument.
// The negative log-likelihood of each row's class, for logits [rows, classes, ...] and classes [rows, ...]. Rows of the
// class `ignore_index` do not count. Another class that is out of range is an error, thrown when a value is next read
// or a graph replayed.
Tensor cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction = Reduction::mean,
                     std::int64_t ignore_index = -100);
Tensor mse_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean);
// softmax(query key^T / sqrt(size)) value over [..., length, size]. If causal, query i attends to keys
// 0 to i only, whatever the numbers of queries and keys.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, bool causal = false,
                                    double dropout_probability = 0);

}  // namespace reprise

// Operations on tensors. They are recorded for autograd if an argument requires gradients.
//
// Operands of binary operations broadcast, and the result has the promoted type. All work is submitted to the current
// stream and can be captured.
#pragma once

#include <reprise/int_pair.h>
#include <reprise/reduction.h>
#include <reprise/scalar.h>
#include <reprise/tensor.h>

#include <optional>
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
Tensor pow(Scalar a, const Tensor& b);
// With the sign of the divisor; with that of the dividend; the quotient rounded down.
Tensor remainder(const Tensor& a, const Tensor& b);
Tensor remainder(const Tensor& a, Scalar b);
Tensor fmod(const Tensor& a, const Tensor& b);
Tensor fmod(const Tensor& a, Scalar b);
Tensor floor_divide(const Tensor& a, const Tensor& b);
Tensor floor_divide(const Tensor& a, Scalar b);
Tensor neg(const Tensor& x);
Tensor sign(const Tensor& x);
Tensor square(const Tensor& x);
Tensor reciprocal(const Tensor& x);
Tensor rsqrt(const Tensor& x);
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor round(const Tensor& x);  // to even
Tensor trunc(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor log2(const Tensor& x);
Tensor log10(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor exp2(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor asin(const Tensor& x);
Tensor acos(const Tensor& x);
Tensor atan(const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
Tensor lerp(const Tensor& start, const Tensor& end, Scalar weight);
Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value = 1);
Tensor addcdiv(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value = 1);
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
Tensor clamp_min(const Tensor& x, Scalar low);
Tensor clamp_max(const Tensor& x, Scalar high);
// `a` where the condition is true, `b` elsewhere.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor where(const Tensor& condition, const Tensor& a, Scalar b);
Tensor where(const Tensor& condition, Scalar a, const Tensor& b);
Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value);

// Activations.
Tensor gelu(const Tensor& x, const std::string& approximate);  // "none" or "tanh"
Tensor silu(const Tensor& x);
Tensor mish(const Tensor& x);
Tensor softplus(const Tensor& x, double beta = 1, double threshold = 20);
Tensor logsigmoid(const Tensor& x);
Tensor elu(const Tensor& x, double alpha = 1);
Tensor selu(const Tensor& x);
Tensor celu(const Tensor& x, double alpha = 1);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
Tensor prelu(const Tensor& x, const Tensor& weight);
Tensor relu6(const Tensor& x);
Tensor hardtanh(const Tensor& x, double min_val = -1, double max_val = 1);
Tensor hardsigmoid(const Tensor& x);
Tensor hardswish(const Tensor& x);
Tensor softsign(const Tensor& x);
Tensor tanhshrink(const Tensor& x);
Tensor threshold(const Tensor& x, double threshold, double value);
Tensor glu(const Tensor& x, std::int64_t dim = -1);

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
Tensor logical_xor(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& x);
inline Tensor lt(const Tensor& a, const Tensor& b) { return a < b; }
inline Tensor lt(const Tensor& a, Scalar b) { return a < b; }
inline Tensor le(const Tensor& a, const Tensor& b) { return a <= b; }
inline Tensor le(const Tensor& a, Scalar b) { return a <= b; }
inline Tensor gt(const Tensor& a, const Tensor& b) { return a > b; }
inline Tensor gt(const Tensor& a, Scalar b) { return a > b; }
inline Tensor ge(const Tensor& a, const Tensor& b) { return a >= b; }
inline Tensor ge(const Tensor& a, Scalar b) { return a >= b; }
bool equal(const Tensor& a, const Tensor& b);  // reads the values
bool allclose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8);

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
Tensor argmax(const Tensor& x);
Tensor argmin(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor argmin(const Tensor& x);
// Equal extrema share the gradient.
Tensor amax(const Tensor& x, const Sizes& dims = {}, bool keepdim = false);
Tensor amin(const Tensor& x, const Sizes& dims = {}, bool keepdim = false);
Tensor prod(const Tensor& x);
Tensor prod(const Tensor& x, std::int64_t dim, bool keepdim = false);
Tensor any(const Tensor& x, const Sizes& dims = {}, bool keepdim = false);
Tensor all(const Tensor& x, const Sizes& dims = {}, bool keepdim = false);
Tensor var(const Tensor& x, const Sizes& dims = {}, double correction = 1, bool keepdim = false);
Tensor std(const Tensor& x, const Sizes& dims = {}, double correction = 1, bool keepdim = false);
Tensor norm(const Tensor& x, double p = 2, const Sizes& dims = {}, bool keepdim = false);
Tensor logsumexp(const Tensor& x, const Sizes& dims, bool keepdim = false);
Tensor cumsum(const Tensor& x, std::int64_t dim);
Tensor cumprod(const Tensor& x, std::int64_t dim);
ValuesAndIndices sort(const Tensor& x, std::int64_t dim = -1, bool descending = false);  // stable
Tensor argsort(const Tensor& x, std::int64_t dim = -1, bool descending = false);
ValuesAndIndices topk(const Tensor& x, std::int64_t k, std::int64_t dim = -1, bool largest = true);

// Reading and writing by indices (i64). An index out of range is an error, thrown when a value is next read or a graph
// replayed.
Tensor index_select(const Tensor& x, std::int64_t dim, const Tensor& index);
Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index);
Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source);
Tensor scatter_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source);
Tensor index_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source);
// Writes (or adds) values[i, ...] to x[index[i], ...] of a copy.
Tensor index_put(const Tensor& x, const Tensor& index, const Tensor& values, bool accumulate = false);
Tensor one_hot(const Tensor& classes, std::int64_t num_classes);
// These read values, so they throw within a capture.
Tensor nonzero(const Tensor& x);
Tensor masked_select(const Tensor& x, const Tensor& mask);
// Draws `num_samples` columns of each row by weights.
Tensor multinomial(const Tensor& weights, std::int64_t num_samples, bool replacement = false);

// Products of matrices or of batches of matrices, which broadcast. Transposed views are not copied.
Tensor matmul(const Tensor& a, const Tensor& b);
Tensor mm(const Tensor& a, const Tensor& b);
Tensor bmm(const Tensor& a, const Tensor& b);
Tensor mv(const Tensor& a, const Tensor& b);
Tensor dot(const Tensor& a, const Tensor& b);
Tensor outer(const Tensor& a, const Tensor& b);
Tensor addmm(const Tensor& x, const Tensor& a, const Tensor& b, Scalar beta = 1, Scalar alpha = 1);
// "bij,bjk->bik": repeated letters that the result lacks are summed.
Tensor einsum(const std::string& equation, const std::vector<Tensor>& operands);
Tensor tril(const Tensor& x, std::int64_t diagonal = 0);
Tensor triu(const Tensor& x, std::int64_t diagonal = 0);
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
std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim = 0);
std::vector<Tensor> unbind(const Tensor& x, std::int64_t dim = 0);
Tensor movedim(const Tensor& x, std::int64_t source, std::int64_t destination);
Tensor flip(const Tensor& x, const Sizes& dims);
Tensor roll(const Tensor& x, std::int64_t shift, std::int64_t dim);
Tensor repeat(const Tensor& x, const Sizes& repeats);
Tensor repeat_interleave(const Tensor& x, std::int64_t repeats, std::int64_t dim);
// Pads the last dimensions; `padding` begins with the last one: {left, right, top, bottom}. The modes are "constant",
// "reflect" and "replicate".
Tensor pad(const Tensor& x, const Sizes& padding, const std::string& mode = "constant", double value = 0);

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
Tensor adaptive_avg_pool2d(const Tensor& x, IntPair output_size);
// To the sizes of the last two dimensions, by "nearest" or "bilinear".
Tensor interpolate(const Tensor& x, IntPair size, const std::string& mode = "nearest", bool align_corners = false);
// Over all dimensions but the second. In training the statistics are those of the batch, and the running ones, if
// defined, move towards them by `momentum`.
Tensor batch_norm(const Tensor& x, const Tensor& running_mean, const Tensor& running_var, const Tensor& weight = {},
                  const Tensor& bias = {}, bool training = false, double momentum = 0.1, double epsilon = 1e-5);
Tensor group_norm(const Tensor& x, std::int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {},
                  double epsilon = 1e-5);
// Over the last dimension.
Tensor rms_norm(const Tensor& x, const Tensor& weight = {}, double epsilon = 1.1920929e-7);
Tensor normalize(const Tensor& x, double p = 2, std::int64_t dim = 1, double epsilon = 1e-12);
Tensor cosine_similarity(const Tensor& a, const Tensor& b, std::int64_t dim = 1, double epsilon = 1e-8);
// Losses, averaged or summed, of the type of their first argument.
// The negative log-likelihood of each row's class, for logits [rows, classes, ...] and classes [rows, ...]. Rows of the
// class `ignore_index` do not count. Another class that is out of range is an error, thrown when a value is next read
// or a graph replayed.
Tensor cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction = Reduction::mean,
                     std::int64_t ignore_index = -100);
struct CrossEntropyOptions {
  Tensor weight = {};  // of the classes
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::mean;
  double label_smoothing = 0;
};
// With all options; the target may also be probabilities of the logits' sizes.
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options);
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& classes, const Tensor& weight = {},
                Reduction reduction = Reduction::mean, std::int64_t ignore_index = -100);
Tensor mse_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean);
Tensor l1_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean);
Tensor smooth_l1_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean, double beta = 1);
Tensor huber_loss(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean, double delta = 1);
Tensor binary_cross_entropy(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                            Reduction reduction = Reduction::mean);
Tensor binary_cross_entropy_with_logits(const Tensor& x, const Tensor& target, const Tensor& weight = {},
                                        const Tensor& pos_weight = {}, Reduction reduction = Reduction::mean);
// The target has probabilities, or their logarithms if `log_target`.
Tensor kl_div(const Tensor& x, const Tensor& target, Reduction reduction = Reduction::mean, bool log_target = false);
// softmax(query key^T / sqrt(size)) value over [..., length, size]. If causal, query i attends to keys
// 0 to i only, whatever the numbers of queries and keys.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, bool causal = false,
                                    double dropout_probability = 0);
struct AttentionArguments {
  Tensor attn_mask = {};  // bool: where to attend; floating: added to the scores
  double dropout_p = 0;
  bool is_causal = false;
  std::optional<double> scale = {};  // 1 / sqrt(size)
  bool enable_gqa = false;           // several query heads share a head of keys and values
};
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionArguments& arguments);

}  // namespace reprise

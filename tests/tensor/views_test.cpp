// Views of the same elements with other sizes and strides.
#include <numeric>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

Tensor counting(const Sizes& sizes) {
  std::vector<float> values(static_cast<std::size_t>(product(sizes)));
  std::iota(values.begin(), values.end(), 0.f);
  return kernels::from_vector(values, sizes);
}

// The elements in order, read by their strides.
std::vector<float> elements(const Tensor& x) { return x.to_vector<float>(); }

// One less than dimension 1 of a permutation of [5, 40, 67] has.
std::int64_t x_rows(const Sizes& order) { return Sizes{5, 40, 67}[static_cast<int>(order[1])] - 1; }

}  // namespace

TEST(Views, transpose_swaps_two_dimensions) {
  Tensor x = counting({2, 3}).transpose(0, 1);
  EXPECT_EQ(x.sizes(), (Sizes{3, 2}));
  EXPECT_FALSE(x.is_contiguous());
  EXPECT_EQ(elements(x), (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(Views, narrow_and_select_take_parts) {
  Tensor x = counting({3, 4});
  EXPECT_EQ(elements(x.narrow(1, 1, 2)), (std::vector<float>{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(elements(x.select(0, -1)), (std::vector<float>{8, 9, 10, 11}));
}

TEST(Views, expand_repeats_without_a_copy) {
  Tensor x = counting({2, 1}).expand({2, 3});
  EXPECT_EQ(elements(x), (std::vector<float>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(x.stride(1), 0);
}

TEST(Views, writing_to_a_view_writes_to_its_tensor) {
  Tensor x = counting({2, 3});
  x.select(1, 1).fill_(7);
  EXPECT_EQ(elements(x), (std::vector<float>{0, 7, 2, 3, 7, 5}));
}

TEST(Views, reshape_of_random_permutations_keeps_the_order_of_elements) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Sizes sizes, order;
    int dims = 1 + random() % 4;
    for (int i = 0; i < dims; ++i) {
      sizes.push_back(1 + random() % 4);
      order.push_back(i);
    }
    std::shuffle(order.begin(), order.end(), random);
    Tensor x = counting(sizes).permute(order);
    // Any factors of the number of elements.
    Sizes other;
    std::int64_t rest = x.numel();
    while (rest > 1 && other.size() < 6) {
      std::int64_t factor = 1 + random() % rest;
      while (rest % factor) ++factor;
      other.push_back(factor);
      rest /= factor;
    }
    other.push_back(rest);
    Tensor y = x.reshape(other);
    ASSERT_EQ(y.sizes(), other);
    ASSERT_EQ(elements(y), elements(x)) << sizes << order << other;
    ASSERT_EQ(elements(kernels::clone(x)), elements(x));
  }
}

TEST(Views, copies_of_large_permutations_keep_the_order_of_elements) {
  Random random(2);
  for (DType dtype : {DType::f32, DType::bf16, DType::i64, DType::boolean}) {
    for (const Sizes& order : {Sizes{0, 2, 1}, Sizes{2, 1, 0}, Sizes{1, 2, 0}, Sizes{2, 0, 1}}) {
      Tensor x = kernels::to(counting({5, 40, 67}), dtype).permute(order).narrow(1, 1, x_rows(order));
      std::vector<double> expected;
      // Element by element, by the strides.
      std::vector<double> all = values_of(kernels::as_strided(x, {5 * 40 * 67}, {1}, 0));
      for (std::int64_t i = 0; i < x.size(0); ++i) {
        for (std::int64_t j = 0; j < x.size(1); ++j) {
          for (std::int64_t k = 0; k < x.size(2); ++k) {
            expected.push_back(
                all[static_cast<std::size_t>(x.body().offset + i * x.stride(0) + j * x.stride(1) + k * x.stride(2))]);
          }
        }
      }
      expect_near(kernels::clone(x), expected, 0, text(dtype, x.sizes(), x.strides()));
    }
  }
}

TEST(Views, errors_name_the_operation_and_the_sizes) {
  Tensor x = counting({2, 3});
  EXPECT_EQ(error_of([&] { x.view({4, 2}); }), "view: a tensor of [2, 3] has 6 elements and cannot be seen as [4, 2]");
  EXPECT_EQ(error_of([&] { x.t().view({6}); }),
            "view: a tensor of [3, 2] with strides [1, 3] cannot be seen as [6] without a copy; use reshape");
  EXPECT_EQ(error_of([&] { x.transpose(0, 2); }), "transpose: there is no dimension 2 in a tensor of [2, 3]");
  EXPECT_EQ(error_of([&] { x.narrow(1, 2, 2); }), "narrow: 2 from 2 on is not within dimension 1 of [2, 3]");
  EXPECT_EQ(error_of([&] { x.expand({4, 3}); }), "expand: [2, 3] does not expand to [4, 3]");
  EXPECT_EQ(error_of([&] { x.item<float>(); }), "item: a tensor of [2, 3] does not have exactly one element");
  EXPECT_EQ(error_of([&] { x.data<std::int64_t>(); }), "data: a tensor of f32 [2, 3] was asked for elements of i64");
  EXPECT_EQ(error_of([] { Tensor().sizes(); }), "this tensor is not defined: it was default-constructed or moved from");
}

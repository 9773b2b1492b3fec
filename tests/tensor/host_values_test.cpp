// Copies between host and device: factories, item, to_vector, printing.
#include <reprise/current_stream.h>
#include <reprise/factories.h>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

// A stream that is capturing until it is destroyed.
class CapturingStream {
 public:
  CapturingStream() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    check_cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capturing");
  }
  ~CapturingStream() {
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream_, &graph);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream_);
  }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_;
};

// x in powers of its mean and deviation.
double moment(const std::vector<double>& values, int power, double mean = 0, double deviation = 1) {
  double sum = 0;
  for (double value : values) sum += std::pow((value - mean) / deviation, power);
  return sum / values.size();
}

}  // namespace

TEST(HostValues, go_to_the_device_and_back) {
  EXPECT_EQ(from_vector(std::vector<float>{1, 2.5, -3}).to_vector<float>(), (std::vector<float>{1, 2.5, -3}));
  EXPECT_EQ(from_vector(std::vector<int>{1, 2, -3}).dtype(), DType::i64);
  EXPECT_EQ(from_vector(std::vector<bool>{true, false}).to_vector<bool>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(from_vector(std::vector<std::int64_t>{1ll << 60}).item<std::int64_t>(), 1ll << 60);
  EXPECT_EQ(from_vector(std::vector<double>{0.5}).to(DType::bf16).item<double>(), 0.5);
  EXPECT_TRUE(from_vector(std::vector<double>{0.5}).item<bool>());
  EXPECT_EQ(from_vector(std::vector<float>{1.75}).item<int>(), 1);
  EXPECT_TRUE(zeros({0, 3}).to_vector<float>().empty());
}

TEST(HostValues, conversions_between_types_round_as_cpp_does) {
  Random random(1);
  for (DType from : {DType::f32, DType::f16, DType::bf16, DType::i64, DType::boolean}) {
    for (DType to : {DType::f32, DType::f16, DType::bf16, DType::i64, DType::boolean}) {
      Tensor x = random_tensor({3, 40}, from, random, -40, 40);
      std::vector<double> expected = values_of(x);
      for (double& value : expected)
        value = to == DType::i64 ? std::trunc(value) : to == DType::boolean ? value != 0 : value;
      expect_near(x.to(to), expected, tolerance(to), text(from, " to ", to));
    }
  }
}

TEST(HostValues, factories_set_every_element) {
  EXPECT_EQ(full({2, 2}, 1.5, DType::f16).to_vector<float>(), (std::vector<float>(4, 1.5)));
  EXPECT_EQ(ones({3}, DType::boolean).to_vector<bool>(), (std::vector<bool>(3, true)));
  EXPECT_EQ(full_like(zeros({2}, DType::i64), -7).to_vector<int>(), (std::vector<int>{-7, -7}));
  EXPECT_EQ(arange(4).to_vector<int>(), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(arange(3, -2, -2).to_vector<int>(), (std::vector<int>{3, 1, -1}));
  EXPECT_EQ(arange(0, 1, 0.25, DType::f32).to_vector<float>(), (std::vector<float>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(error_of([] { arange(0, 1, -1); }), "arange: steps of -1 do not lead from 0 to 1");
  EXPECT_EQ(error_of([] { zeros({2, -1}); }), "a tensor cannot have the sizes [2, -1]");
}

TEST(HostValues, random_numbers_follow_their_distributions) {
  manual_seed(5);
  std::vector<double> even = values_of(rand({40001})), normal = values_of(randn({40001}));
  EXPECT_NEAR(moment(even, 1), 0.5, 0.01);
  EXPECT_NEAR(moment(even, 2), 1 / 3., 0.01);
  EXPECT_GE(*std::min_element(even.begin(), even.end()), 0);
  EXPECT_LT(*std::max_element(even.begin(), even.end()), 1);
  EXPECT_NEAR(moment(normal, 1), 0, 0.02);
  EXPECT_NEAR(moment(normal, 2), 1, 0.03);
  EXPECT_NEAR(moment(normal, 3), 0, 0.1);
  EXPECT_NEAR(moment(normal, 4), 3, 0.2);
  std::vector<int> whole = randint(-2, 3, {1000}).to_vector<int>();
  for (int value = -2; value < 3; ++value) EXPECT_GT(std::count(whole.begin(), whole.end(), value), 100) << value;
  EXPECT_EQ(std::count_if(whole.begin(), whole.end(), [](int value) { return value < -2 || value > 2; }), 0);
}

TEST(HostValues, random_numbers_are_the_same_for_the_same_seed) {
  manual_seed(7);
  Tensor first = randn({100}), second = randn({100});
  manual_seed(7);
  EXPECT_EQ(randn({100}).to_vector<float>(), first.to_vector<float>());
  EXPECT_NE(first.to_vector<float>(), second.to_vector<float>());
  EXPECT_EQ(randn({100}).to_vector<float>(), second.to_vector<float>());
  Generator own(3), same(3);
  EXPECT_EQ(rand({5}, DType::f32, own).to_vector<float>(), rand({5}, DType::f32, same).to_vector<float>());
}

TEST(HostValues, reading_and_host_copies_are_refused_during_a_capture) {
  Tensor x = ones({2, 2});
  CapturingStream stream;
  StreamGuard guard(stream);
  EXPECT_NE(error_of([&] { x.select(0, 0).select(0, 0).item<float>(); }).find("item: the current stream is capturing"),
            std::string::npos);
  EXPECT_NE(error_of([&] { x.to_vector<float>(); }).find("to_vector: the current stream is capturing"),
            std::string::npos);
  EXPECT_NE(error_of([&] { from_vector(std::vector<float>{1}); }).find("from_vector: the current stream is capturing"),
            std::string::npos);
  EXPECT_NE(error_of([&] { text(x); }).find("is capturing"), std::string::npos);
}

TEST(Text, is_as_pytorch_prints_it) {
  EXPECT_EQ(text(from_vector(std::vector<float>{1, -2, 3, 4}, {2, 2})), "tensor([[ 1., -2.],\n        [ 3.,  4.]])");
  EXPECT_EQ(text(from_vector(std::vector<float>{0.5, -1.25, 3})), "tensor([ 0.5000, -1.2500,  3.0000])");
  EXPECT_EQ(text(from_vector(std::vector<float>{1e-5f, 2})), "tensor([1.0000e-05, 2.0000e+00])");
  EXPECT_EQ(text(from_vector(std::vector<float>{1, 10000})), "tensor([1.0000e+00, 1.0000e+04])");
  EXPECT_EQ(text(from_vector(std::vector<float>{0.5, NAN, -INFINITY})), "tensor([0.5000,    nan,   -inf])");
  EXPECT_EQ(text(zeros({2})), "tensor([0., 0.])");
  EXPECT_EQ(text(zeros({})), "tensor(0.)");
  EXPECT_EQ(text(from_vector(std::vector<int>{1, -20})), "tensor([  1, -20])");
  EXPECT_EQ(text(from_vector(std::vector<std::int64_t>{9007199254740993, INT64_MIN})),
            "tensor([    9007199254740993, -9223372036854775808])");
  EXPECT_EQ(text(from_vector(std::vector<bool>{true, false})), "tensor([ True, False])");
  EXPECT_EQ(text(ones({1}, DType::f16)), "tensor([1.], dtype=f16)");
  EXPECT_EQ(text(zeros({0, 3})), "tensor([], size=[0, 3])");
  EXPECT_EQ(text(zeros({0})), "tensor([])");
  EXPECT_EQ(text(Tensor()), "tensor(undefined)");
}

TEST(Text, leaves_an_empty_line_between_matrices) {
  EXPECT_EQ(text(arange(8).view({2, 2, 2})),
            "tensor([[[0, 1],\n         [2, 3]],\n\n        [[4, 5],\n         [6, 7]]])");
}

TEST(Text, breaks_long_rows_and_shortens_large_tensors) {
  EXPECT_EQ(text(arange(30)),
            "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
            "        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])");
  EXPECT_EQ(text(arange(2000)), "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
  EXPECT_EQ(text(zeros({1000, 2})),
            "tensor([[0., 0.],\n        [0., 0.],\n        [0., 0.],\n        ...,\n        [0., 0.],\n        [0., "
            "0.],\n        [0., 0.]])");
}

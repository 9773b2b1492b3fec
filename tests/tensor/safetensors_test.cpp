// Safetensors files: saving, loading, and rejecting malformed ones.
#include <gtest/gtest.h>
#include <reprise/factories.h>
#include <reprise/nn.h>
#include <reprise/safetensors.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <random>

#include "random_tensors.h"
#include "safetensors/header.h"

using namespace reprise;
using namespace reprise::test;

namespace {

class Safetensors : public ::testing::Test {
 protected:
  void TearDown() override { std::remove(path.c_str()); }
  void write(const std::string& header, const std::string& data) {
    std::ofstream file(path, std::ios::binary);
    for (int i = 0; i < 8; ++i) file.put(static_cast<char>(header.size() >> (8 * i)));
    file << header << data;
  }
  std::string error() {
    return error_of([&] { load_safetensors(path); });
  }

  std::string path = testing::TempDir() + std::to_string(getpid()) + "_reprise_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".safetensors";
};

TEST_F(Safetensors, SavedTensorsAreLoadedUnchanged) {
  Random random(1);
  TensorMap saved;
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::i64, DType::boolean}) {
    saved[text("of type ", dtype)] = random_tensor({3, 4, 5}, dtype, random);
  }
  saved["scalar"] = full({}, 3);
  saved["empty"] = zeros({2, 0});
  saved["quote \" backslash \\ newline \n \xC3\xA9"] = rand({2});
  save_safetensors(path, saved, {{"format", "pt"}, {"note", "a \"b\""}});
  StringMap metadata;
  const TensorMap loaded = load_safetensors(path, &metadata);
  ASSERT_EQ(loaded.size(), saved.size());
  for (const auto& [name, tensor] : saved) {
    const Tensor& again = loaded.at(name);
    EXPECT_EQ(again.sizes(), tensor.sizes()) << name;
    EXPECT_EQ(again.dtype(), tensor.dtype()) << name;
    EXPECT_EQ(values_of(again), values_of(tensor)) << name;
  }
  EXPECT_EQ(metadata, (StringMap{{"format", "pt"}, {"note", "a \"b\""}}));
}

TEST_F(Safetensors, CarryTheStateOfAModuleToAnother) {
  auto network = [] { return nn::Sequential(nn::Linear(2, 8), nn::Tanh(), nn::Linear(8, 1)); };
  nn::Sequential one = network(), two = network();
  save_safetensors(path, one.state_dict());
  two.load_state_dict(load_safetensors(path));
  const Tensor x = rand({3, 2});
  EXPECT_EQ(one(x).to_vector<float>(), two(x).to_vector<float>());
}

TEST_F(Safetensors, FilesOfOtherLibrariesAreLoaded) {
  write(
      "{ \"__metadata__\" : {\"format\":\"pt\"}, "
      "\"a\\u00e9\\ud83d\\ude00\":{\"data_offsets\":[4,12],\"shape\":[2],\"dtype\":\"F32\"},\n"
      " \"b\":{\"dtype\":\"F16\",\"shape\":[1,2],\"data_offsets\":[0,4]} }   ",
      std::string("\x00\x3c\x00\xc0\x00\x00\x80\x3f\x00\x00\x00\x40", 12));
  const TensorMap loaded = load_safetensors(path);
  EXPECT_EQ(loaded.at("a\xC3\xA9\xF0\x9F\x98\x80").to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(loaded.at("b").to_vector<float>(), (std::vector<float>{1, -2}));
}

TEST_F(Safetensors, RejectsMalformedFiles) {
  EXPECT_NE(error().find("reading "), std::string::npos);
  std::ofstream(path) << "abc";
  EXPECT_NE(error().find("shorter than"), std::string::npos) << error();
  std::ofstream(path) << "12345678901234567890";
  EXPECT_NE(error().find("is not a safetensors file"), std::string::npos) << error();
  const std::pair<std::string, const char*> broken[] = {
      {R"({"a":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}})", "of type F8_E4M3, which is not supported"},
      {R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "of shape [3] cannot be at bytes 0 to 8"},
      {R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", "of shape [4] cannot be at bytes 0 to 16"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", "cannot be at bytes 8 to 0"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "4 bytes after the last tensor"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "overlap or leave a gap at byte 0"},
      {R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", "has 9 dimensions"},
      {R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})", "is too large"},
  };
  for (const auto& [header, message] : broken) {
    write(header, "12345678");
    EXPECT_NE(error().find(message), std::string::npos) << header << ": " << error();
  }
}

TEST(SafetensorsHeader, RejectsInvalidHeaders) {
  const auto entry = [](const std::string& members) { return "{\"a\":{" + members + "}}"; };
  const std::string whole = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])";
  const std::pair<std::string, const char*> broken[] = {
      {"", "must begin with '{'"},
      {" {}", "must begin with '{'"},
      {"\xEF\xBB\xBF{}", "must begin with '{'"},
      {std::string("{}\0{}", 5), "null byte at byte 2"},
      {"{} x", "not JSON at byte 4"},
      {"{\"a", "not JSON at byte"},
      {"{\"\xff\":1}", "not JSON at byte"},
      {"{\"\\ud800\":1}", "not JSON at byte"},
      {"{/* */}", "not JSON at byte"},
      {"{\"a\":1}", "\"a\" must be an object, not a number"},
      {"{\"a\":[]}", "\"a\" must be an object, not an array"},
      {entry(R"("dtype":"F32","shape":[1])"), "lacks dtype, shape or data_offsets"},
      {entry(whole + ",\"more\":1"), "unknown key \"more\""},
      {entry(whole + ",\"shape\":[1]"), "the key \"shape\" twice"},
      {"{\"a\":{" + whole + "},\"a\":{" + whole + "}}", "the key \"a\" occurs twice"},
      {R"({"__metadata__":{},"__metadata__":{}})", "the key \"__metadata__\" occurs twice"},
      {R"({"__metadata__":{"k":"1","k":"2"}})", "the key \"k\" occurs twice"},
      {R"({"__metadata__":{"k":1}})", "\"k\" must be a string, not a number"},
      {entry(R"("dtype":[1])"), "dtype of \"a\" must be a string, not an array"},
      {entry(R"("dtype":{})"), "dtype of \"a\" must be a string, not an object"},
      {entry(R"("shape":"1")"), "shape of \"a\" must be an array of whole numbers, not a string"},
      {entry(R"("shape":[-1])"), "not a negative number"},
      {entry(R"("shape":[1.0])"), "not the number 1.0"},
      {entry(R"("shape":[1e3])"), "not the number 1e3"},
      {entry(R"("shape":[99999999999999999999])"), "not the number 99999999999999999999"},
      {entry(R"("shape":[9223372036854775808])"), "number too large"},
      {entry(R"("shape":[null])"), "not null"},
      {entry(R"("shape":[true])"), "not a boolean"},
      {entry(R"("shape":[[1]])"), "not an array within an array"},
      {entry(R"("data_offsets":[0])"), "are not two numbers"},
      {entry(R"("data_offsets":[0,1,2])"), "are not two numbers"},
      {entry("\"shape\":" + std::string(1'000'000, '[')), "not an array within an array"},
  };
  for (const auto& [header, message] : broken) {
    const std::string error = error_of([&, &text = header] { safetensors::parse_header(text); });
    EXPECT_NE(error.find(message), std::string::npos) << header.substr(0, 100) << ": " << error;
  }
}

TEST(SafetensorsHeader, RejectsNamesThatAreNotUtf8) {
  safetensors::Header header;
  header.entries["\xff"] = {"F32", {1}, 0, 4};
  EXPECT_NE(error_of([&] { safetensors::write_header(header); }).find("valid UTF-8"), std::string::npos);
}

// Fuzzes a valid header: every mutation is parsed or rejected with an Error.
TEST(SafetensorsHeader, AnyTextIsParsedOrRejected) {
  const std::string valid =
      R"({"__metadata__":{"format":"pt","k\u00e9\ud83d\ude00":"\n"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":)"
      R"([0,24]},"b":{"data_offsets":[24,24],"shape":[],"dtype":"BOOL"}}   )";
  ASSERT_EQ(safetensors::parse_header(valid).entries.size(), 2u);
  const std::string alphabet = "{}[]\":,\\u0129eE+-. \n/*ntf";
  std::mt19937 random(1);
  auto below = [&](std::size_t n) { return random() % n; };
  int parsed = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = valid;
    for (std::size_t changes = 1 + below(4); changes != 0; --changes) {
      const std::size_t at = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text[at] = alphabet[below(alphabet.size())];
          break;
        case 2:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
          break;
        case 3:
          text.erase(at, 1 + below(20));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(60)));
      }
      if (text.empty()) text = " ";
    }
    try {
      // Writing and parsing the result again gives the same header.
      const safetensors::Header header = safetensors::parse_header(text);
      const std::string again = safetensors::write_header(header);
      EXPECT_EQ(safetensors::write_header(safetensors::parse_header(again)), again);
      ++parsed;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(parsed, 100);
  EXPECT_GT(refused, 10000);
}

}  // namespace

// The text of device printf: every conversion against the C library's own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstring>

#include "device/printf_format.h"

namespace reprise_runtime::device {
namespace {

// Packs arguments as clang does for vprintf: promoted, each at its natural alignment.
class Packed {
 public:
  template <class T>
  Packed& operator<<(T value) {
    offset_ = (offset_ + sizeof value - 1) & ~(sizeof value - 1);
    std::memcpy(bytes_ + offset_, &value, sizeof value);
    offset_ += sizeof value;
    return *this;
  }
  const void* data() const { return bytes_; }

 private:
  alignas(16) char bytes_[256] = {};
  std::size_t offset_ = 0;
};

std::string formatted(const char* format, const Packed& packed, int expected_arguments) {
  std::string text;
  EXPECT_EQ(append_formatted(text, format, packed.data()), expected_arguments) << format;
  return text;
}

std::string reference(const char* format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  std::vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return text;
}

TEST(DevicePrintf, TextWithoutConversionsIsItself) {
  EXPECT_EQ(formatted("plain 100%% text\n", {}, 0), "plain 100% text\n");
}

TEST(DevicePrintf, NoFormatIsAnError) {
  std::string text;
  EXPECT_EQ(append_formatted(text, nullptr, nullptr), -1);
}

TEST(DevicePrintf, IntegersOfEverySizeAndType) {
  for (const char* format : {"%d", "%i", "%u", "%x", "%X", "%o", "%5d|", "%-5d|", "%05d|", "%+d", "% d", "%#x", "%#o",
                             "%hd", "%hhd", "%hu", "%.3d", "%8.3d|"})
    for (int value : {0, 1, -1, 12345, -70000, INT32_MIN, INT32_MAX})
      EXPECT_EQ(formatted(format, Packed() << value, 1), reference(format, value)) << format;
  for (const char* format : {"%ld", "%lld", "%lu", "%llu", "%lx", "%llX", "%20lld|", "%zu"})
    for (long long value : {0ll, -1ll, 1234567890123ll, static_cast<long long>(INT64_MIN)})
      EXPECT_EQ(formatted(format, Packed() << value, 1), reference(format, value)) << format;
}

TEST(DevicePrintf, RealsOfEveryType) {
  for (const char* format :
       {"%f", "%F", "%e", "%E", "%g", "%G", "%a", "%A", "%.2f", "%10.3f|", "%-10.3e|", "%+g", "%#g", "%010.1f"})
    for (double value : {0.0, -0.0, 1.5, -3.25e10, 1e-300, 1e300, double(INFINITY), double(NAN)})
      EXPECT_EQ(formatted(format, Packed() << value, 1), reference(format, value)) << format;
}

TEST(DevicePrintf, CharactersStringsAndPointers) {
  int target = 0;
  EXPECT_EQ(formatted("[%c%3c]", Packed() << int('a') << int('b'), 2), "[a  b]");
  EXPECT_EQ(formatted("[%s|%6s|%-6s|%.2s]", Packed() << "one" << "two" << "three" << "four", 4),
            "[one|   two|three |fo]");
  EXPECT_EQ(formatted("%s", Packed() << static_cast<const char*>(nullptr), 1), "(null)");
  EXPECT_EQ(formatted("%p", Packed() << &target, 1), reference("%p", static_cast<void*>(&target)));
}

TEST(DevicePrintf, MixedArgumentsAreFoundAtTheirAlignment) {
  const Packed packed = Packed() << 1 << 2.5 << 3 << 4ll << "five" << 6;
  EXPECT_EQ(formatted("%d %.1f %d %lld %s %d", packed, 6), "1 2.5 3 4 five 6");
}

TEST(DevicePrintf, AStarTakesTheWidthFromTheArguments) {
  EXPECT_EQ(formatted("%*d|%-*d|%.*f", Packed() << 5 << 42 << 5 << 42 << 2 << 1.0, 6), "   42|42   |1.00");
}

TEST(DevicePrintf, AnUnknownConversionStandsAsItIs) { EXPECT_EQ(formatted("%y and %", {}, 0), "%y and %"); }

TEST(DevicePrintf, AVeryLongFieldIsWhole) { EXPECT_EQ(formatted("%500d", Packed() << 7, 1), reference("%500d", 7)); }

}  // namespace
}  // namespace reprise_runtime::device

#include "diagnose/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "diagnose/error_text.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::diagnose {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Log, DumpsMessagesInOrderWithTimeThreadAndSeverity) {
  Log log;
  log.write(cudaLogLevelError, "first");
  log.write(cudaLogLevelWarning, "second");
  const auto lines = lines_of(log.dump(0, SIZE_MAX).text);
  ASSERT_EQ(lines.size(), 2u);
  int hour, minute, second, thousandth, thread, end = 0;
  ASSERT_EQ(std::sscanf(lines[0].c_str(), "[%d:%d:%d.%d][%d][CUDA][E] first%n", &hour, &minute, &second, &thousandth,
                        &thread, &end),
            5)
      << lines[0];
  EXPECT_EQ(end, static_cast<int>(lines[0].size()));
  EXPECT_NE(lines[1].find("[CUDA][W] second"), std::string::npos);
}

TEST(Log, ADumpGoesOnWhereTheLastOneEnded) {
  Log log;
  log.write(cudaLogLevelError, "old");
  const uint32_t here = log.next();
  EXPECT_EQ(log.dump(here, SIZE_MAX).text, "");
  log.write(cudaLogLevelError, "new");
  const Log::Dump dump = log.dump(here, SIZE_MAX);
  EXPECT_EQ(lines_of(dump.text).size(), 1u);
  EXPECT_EQ(dump.next, log.next());
}

TEST(Log, KeepsTheLatestMessagesAndSaysWhenOlderOnesAreGone) {
  Log log;
  for (int i = 0; i < 1000; ++i) log.write(cudaLogLevelError, "message number " + std::to_string(i));
  const auto lines = lines_of(log.dump(0, SIZE_MAX).text);
  ASSERT_GT(lines.size(), 100u);
  ASSERT_LT(lines.size(), 1000u);
  EXPECT_NE(lines.front().find("dropped"), std::string::npos);
  EXPECT_NE(lines.back().find("number 999"), std::string::npos);
}

TEST(Log, ASmallBufferGetsTheLatestMessagesAfterALineThatSaysSo) {
  Log log;
  for (int i = 0; i < 20; ++i) log.write(cudaLogLevelError, "message number " + std::to_string(i));
  const Log::Dump dump = log.dump(0, 300);
  ASSERT_TRUE(dump.fits);
  EXPECT_LE(dump.text.size(), 300u);
  const auto lines = lines_of(dump.text);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_NE(lines.front().find("do not fit"), std::string::npos);
  EXPECT_NE(lines.back().find("number 19"), std::string::npos);
  EXPECT_FALSE(log.dump(0, 20).fits);
}

TEST(LogCalls, DumpToMemoryFollowsTheDocumentedSizes) {
  cudaLogIterator here = 0;
  ASSERT_EQ(current_position(&here, 0), cudaSuccess);
  char buffer[4096];
  size_t size = sizeof buffer;
  cudaLogIterator position = here;
  EXPECT_EQ(dump_to_memory(&position, buffer, &size, 0), cudaSuccess);
  EXPECT_EQ(size, 0u);
  EXPECT_STREQ(buffer, "");

  Log::instance().write(cudaLogLevelError, "hello");
  size = sizeof buffer;
  EXPECT_EQ(dump_to_memory(&position, buffer, &size, 0), cudaSuccess);
  EXPECT_EQ(size, std::string(buffer).size());
  EXPECT_NE(std::string(buffer).find("hello\n"), std::string::npos);
  EXPECT_EQ(position, here + 1);

  size = 10;
  EXPECT_EQ(dump_to_memory(&here, buffer, &size, 0), cudaErrorInvalidValue);
  EXPECT_EQ(size, 0u);
  size = sizeof buffer;
  EXPECT_EQ(dump_to_memory(nullptr, nullptr, &size, 0), cudaErrorInvalidValue);
  EXPECT_EQ(dump_to_memory(nullptr, buffer, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(current_position(nullptr, 0), cudaErrorInvalidValue);
}

TEST(LogCalls, DumpToFile) {
  cudaLogIterator position = 0;
  ASSERT_EQ(current_position(&position, 0), cudaSuccess);
  Log::instance().write(cudaLogLevelWarning, "into a file");
  const std::string path = testing::TempDir() + std::to_string(getpid()) + "_reprise_log_test.txt";
  ASSERT_EQ(dump_to_file(&position, path.c_str(), 0), cudaSuccess);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_NE(line.find("into a file"), std::string::npos);
  EXPECT_FALSE(std::getline(file, line));
  std::remove(path.c_str());
  EXPECT_EQ(dump_to_file(&position, nullptr, 0), cudaErrorInvalidValue);
  EXPECT_EQ(dump_to_file(&position, "/no/such/folder/log", 0), cudaErrorInvalidValue);
}

struct Heard {
  std::vector<std::string> messages;
  static void hear(void* data, cudaLogLevel, char* message, size_t length) {
    static_cast<Heard*>(data)->messages.emplace_back(message, length);
    message[0] = '#';  // ours to write to
    Log::instance().write(cudaLogLevelError, "from inside a callback");
  }
};

TEST(LogCalls, CallbacksHearMessagesUntilUnregistered) {
  Heard one, two;
  cudaLogsCallbackHandle first = nullptr, second = nullptr;
  ASSERT_EQ(register_callback(Heard::hear, &one, &first), cudaSuccess);
  ASSERT_EQ(register_callback(Heard::hear, &two, &second), cudaSuccess);
  Log::instance().write(cudaLogLevelError, "both");
  EXPECT_EQ(unregister_callback(first), cudaSuccess);
  Log::instance().write(cudaLogLevelError, "one only");
  EXPECT_EQ(one.messages, std::vector<std::string>{"both"});
  EXPECT_EQ(two.messages, (std::vector<std::string>{"both", "one only"}));
  EXPECT_EQ(unregister_callback(first), cudaErrorInvalidValue);
  EXPECT_EQ(unregister_callback(second), cudaSuccess);
  EXPECT_EQ(unregister_callback(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(register_callback(nullptr, nullptr, &first), cudaErrorInvalidValue);
}

TEST(LogCalls, CallbacksComeAndGoWhileOthersLog) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) {
        if (t == 0) {
          Heard heard;
          cudaLogsCallbackHandle handle = nullptr;
          ASSERT_EQ(register_callback(Heard::hear, &heard, &handle), cudaSuccess);
          ASSERT_EQ(unregister_callback(handle), cudaSuccess);
        } else {
          Log::instance().write(cudaLogLevelError, "busy");
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(Refuse, TheWordsReachTheLogUnderTheCallsName) {
  Heard heard;
  cudaLogsCallbackHandle handle = nullptr;
  ASSERT_EQ(register_callback(Heard::hear, &heard, &handle), cudaSuccess);
  EXPECT_EQ(refuse(cudaErrorInvalidValue, "the source %d is gone", 7), cudaErrorInvalidValue);
  call_failed("cudaMemcpy", "count=4", cudaErrorInvalidValue);
  EXPECT_EQ(refuse(cudaErrorInvalidValue, "recovered from"), cudaErrorInvalidValue);
  call_failed("cudaMalloc", "size=4", cudaErrorMemoryAllocation);
  ASSERT_EQ(unregister_callback(handle), cudaSuccess);
  ASSERT_EQ(heard.messages.size(), 2u);
  EXPECT_EQ(heard.messages[0],
            "cudaMemcpy: the source 7 is gone; returns cudaErrorInvalidValue (invalid argument)\n  call: "
            "cudaMemcpy(count=4)");
  EXPECT_EQ(heard.messages[1],
            "cudaMalloc: returns cudaErrorMemoryAllocation (out of memory)\n  call: cudaMalloc(size=4)");
}

TEST(ErrorText, EveryCodeHasItsNameAndWords) {
  EXPECT_STREQ(error_name(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(error_text(cudaSuccess), "no error");
  EXPECT_STREQ(error_name(cudaErrorUnknown), "cudaErrorUnknown");
  EXPECT_STREQ(error_text(cudaErrorStreamCaptureUnsupported), "operation not permitted when stream is capturing");
  EXPECT_STREQ(error_name(static_cast<cudaError_t>(-1)), "unrecognized error code");
  EXPECT_STREQ(error_text(static_cast<cudaError_t>(10)), "unrecognized error code");
  int known = 0;
  for (int code = 0; code <= 10000; ++code) {
    known += std::string(error_name(static_cast<cudaError_t>(code))) != "unrecognized error code";
  }
  EXPECT_EQ(known, 134);
}

}  // namespace
}  // namespace reprise_runtime::diagnose

// CUDA's log: callbacks on errors, and reading earlier messages.
#include <unistd.h>

#include <fstream>
#include <mutex>
#include <sstream>

#include "support.h"

struct Heard {
  std::mutex mutex;
  std::vector<std::string> messages;
  std::vector<cudaLogLevel> levels;
};

static void CUDART_CB hear(void* data, cudaLogLevel level, char* message, size_t length) {
  auto* heard = static_cast<Heard*>(data);
  const std::lock_guard<std::mutex> lock(heard->mutex);
  heard->messages.emplace_back(message, length);
  heard->levels.push_back(level);
}

static void make_an_error() {
  (void)cudaMemset(nullptr, 0, 16);
  (void)cudaStreamCreateWithFlags(nullptr, 77);
  (void)cudaGetLastError();
}

using Log = Runtime;

TEST_F(Log, CallbacksAreRegisteredAndRemoved) {
  Heard heard;
  cudaLogsCallbackHandle handle = nullptr;
  ASK(cudaSuccess, cudaLogsRegisterCallback(hear, &heard, &handle));
  make_an_error();
  // At least one message per failing call.
  EXPECT_GE(heard.messages.size(), 2u);
  for (cudaLogLevel level : heard.levels) ASK_VALUE(cudaLogLevelError, level);
  ASK(cudaSuccess, cudaLogsUnregisterCallback(handle));
  const size_t count = heard.messages.size();
  make_an_error();
  ASK_VALUE(count, heard.messages.size());
}

TEST_F(Log, TheHandleIsOptional) {
  static Heard heard;
  ASK(cudaSuccess, cudaLogsRegisterCallback(hear, &heard, nullptr));
}

TEST_F(Log, WrongCallbacks) {
  cudaLogsCallbackHandle handle = nullptr;
  ASK(cudaErrorInvalidValue, cudaLogsRegisterCallback(nullptr, nullptr, &handle));
  ASK(cudaErrorInvalidValue, cudaLogsUnregisterCallback(nullptr));
}

TEST_F(Log, TheIteratorMarksAPlace) {
  cudaLogIterator iterator = 0;
  ASK(cudaSuccess, cudaLogsCurrent(&iterator, 0));
  ASK(cudaErrorInvalidValue, cudaLogsCurrent(nullptr, 0));
  // The documentation requires flags to be zero.
  ASK(cudaSuccess, cudaLogsCurrent(&iterator, 1));
}

TEST_F(Log, DumpsToMemory) {
  cudaLogIterator iterator = 0;
  MUST(cudaLogsCurrent(&iterator, 0));
  std::vector<char> buffer(25600, 'x');
  size_t size = buffer.size();
  ASK(cudaSuccess, cudaLogsDumpToMemory(&iterator, buffer.data(), &size, 0));
  ASK_VALUE(0u, size);
  make_an_error();
  size = buffer.size();
  ASK(cudaSuccess, cudaLogsDumpToMemory(&iterator, buffer.data(), &size, 0));
  // Lines such as [03:12:15.099][140099022135296][CUDA][E] and the message.
  const std::string text(buffer.data(), size);
  ASK_VALUE('[', text.front());
  ASK_VALUE('\n', text.back());
  EXPECT_NE(std::string::npos, text.find("][CUDA][E] ")) << text;
  ASK_VALUE('\0', buffer[size]);
  size = buffer.size();
  ASK(cudaSuccess, cudaLogsDumpToMemory(&iterator, buffer.data(), &size, 0));
  ASK_VALUE(0u, size);
}

TEST_F(Log, DumpsAllWithoutAnIterator) {
  make_an_error();
  std::vector<char> buffer(25600);
  size_t size = buffer.size();
  ASK(cudaSuccess, cudaLogsDumpToMemory(nullptr, buffer.data(), &size, 0));
  EXPECT_GT(size, 0u);
}

TEST_F(Log, ABufferTooSmallIsRefused) {
  cudaLogIterator iterator = 0;
  MUST(cudaLogsCurrent(&iterator, 0));
  make_an_error();
  char little[4] = {};
  size_t size = sizeof(little);
  ASK(cudaErrorInvalidValue, cudaLogsDumpToMemory(&iterator, little, &size, 0));
  ASK_VALUE(0u, size);
}

TEST_F(Log, WrongDumps) {
  char buffer[64];
  size_t size = sizeof(buffer);
  ASK(cudaErrorInvalidValue, cudaLogsDumpToMemory(nullptr, nullptr, &size, 0));
  ASK(cudaErrorInvalidValue, cudaLogsDumpToMemory(nullptr, buffer, nullptr, 0));
  std::vector<char> whole(25600);
  size_t whole_size = whole.size();
  ASK(cudaSuccess, cudaLogsDumpToMemory(nullptr, whole.data(), &whole_size, 1));
  ASK(cudaErrorInvalidValue, cudaLogsDumpToFile(nullptr, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaLogsDumpToFile(nullptr, "/no/such/folder/log.txt", 0));
}

static std::string content(const char* path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_F(Log, DumpsToAFile) {
  char path[] = "/tmp/conformance-log-XXXXXX";
  const int file = mkstemp(path);
  ASSERT_GE(file, 0);
  close(file);
  cudaLogIterator iterator = 0;
  MUST(cudaLogsCurrent(&iterator, 0));
  make_an_error();
  ASK(cudaSuccess, cudaLogsDumpToFile(&iterator, path, 0));
  ASK_VALUE(false, content(path).empty());
  // The iterator has advanced, and the file is overwritten.
  ASK(cudaSuccess, cudaLogsDumpToFile(&iterator, path, 1));
  ASK_VALUE(true, content(path).empty());
  unlink(path);
}

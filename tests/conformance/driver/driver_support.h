// For tests of the driver API: questions with a CUresult for an answer, and tests in a process that has made no call.
#pragma once

#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

namespace conformance {

inline std::string named(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return std::string(name ? name : "?") + " (" + std::to_string(static_cast<int>(result)) + ")";
}

inline testing::AssertionResult answered(const char* question, int line, CUresult expected, CUresult actual) {
  tell(question, line, named(actual));
  if (expected == actual) return testing::AssertionSuccess();
  return testing::AssertionFailure() << question << "\n  answers  " << named(actual) << "\n  expected "
                                     << named(expected);
}

#define ASK_DRIVER(expected, ...) EXPECT_TRUE(conformance::answered(#__VA_ARGS__, __LINE__, expected, __VA_ARGS__))
#define MUST_DRIVER(...) ASSERT_TRUE(conformance::answered(#__VA_ARGS__, __LINE__, CUDA_SUCCESS, __VA_ARGS__))

// Runs a test's body in a new process. The parent makes no call of CUDA's, so that the child starts from nothing.
template <class Body>
void in_new_process(Body&& body) {
  std::fflush(stdout);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    body();
    std::fflush(stdout);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the new process failed; see above";
}

}  // namespace conformance

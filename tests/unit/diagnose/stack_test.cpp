// The places that explanations name. Compiled with line tables, see CMakeLists.txt.
#include "diagnose/stack.h"

#include <gtest/gtest.h>

#include <string>

#include "diagnose/demangle.h"

namespace diagnose = reprise_runtime::diagnose;

namespace {

using testing::internal::RE;

bool contains(const std::string& text, const std::string& pattern) { return RE::PartialMatch(text, RE(pattern)); }

struct Called {
  std::string stack;
  int line;
};

// Not an exported function: the dynamic loader does not know its name.
[[gnu::noinline]] Called refused_call() { return {diagnose::describe_stack(), __LINE__}; }

[[gnu::noinline]] Called caller_of_refused_call() {
  Called called = refused_call();
  __asm__ volatile("");  // Not a tail call: the frame stays.
  return called;
}

TEST(Stack, NamesTheFunctionsOfTheProgramInnermostFirst) {
  const std::string stack = caller_of_refused_call().stack;
  const size_t inner = stack.find("(anonymous namespace)::refused_call()+0x");
  const size_t outer = stack.find("(anonymous namespace)::caller_of_refused_call()+0x");
  EXPECT_EQ(0u, inner) << stack;
  EXPECT_NE(std::string::npos, outer) << stack;
}

TEST(Stack, LeavesOutTheRuntimesOwnFunctions) {
  EXPECT_EQ(std::string::npos, refused_call().stack.find("reprise_runtime::")) << refused_call().stack;
}

TEST(Stack, TellsTheLineOfACallWhereTheProgramHasLineTables) {
  const Called called = refused_call();
  EXPECT_TRUE(contains(called.stack,
                       "unit_diagnose_stack_test\\+0x[0-9a-f]+\\) at stack_test.cpp:" + std::to_string(called.line)))
      << called.stack;
}

TEST(Stack, NamesTheLibraryOfAnExportedFunction) {
  const auto* inside_puts = reinterpret_cast<const char*>(&puts) + 2;
  EXPECT_TRUE(contains(diagnose::describe_address(inside_puts), "puts\\+0x1 \\(libc.*\\+0x[0-9a-f]+\\)"))
      << diagnose::describe_address(inside_puts);
}

TEST(Stack, AnAddressOutsideAnyFileHasNoPlace) {
  const int local = 0;
  EXPECT_EQ("?", diagnose::describe_address(&local + 1));
}

TEST(Demangled, MangledNamesReadAsTheirAuthorWroteThem) {
  EXPECT_EQ("fill(int*, int)", diagnose::demangled("_Z4fillPii"));
  EXPECT_EQ("void inside::generic<double>(double)", diagnose::demangled("_ZN6inside7genericIdEEvT_"));
}

TEST(Demangled, OtherNamesStayAsTheyAre) {
  for (const char* name : {"", "main", "i", "_Znonsense", "ends with a backslash\\"}) {
    EXPECT_EQ(name, diagnose::demangled(name));
  }
}

}  // namespace

// Rewrites source text that nvcc accepts and clang rejects. Each function takes the position of clang's error in `text`
// and returns whether it recognised and changed the text there. Line numbers do not change.
#pragma once

#include <cstddef>
#include <string>

namespace reprise_compiler::driver {

// kernel << <grid, block >> > (arguments): moves the blanks in front of the angle brackets.
bool join_launch_brackets(std::string& text, std::size_t at);

// asm("..." : "=r"(a) : "r"(b) "r"(c)): inserts the missing commas, starting at the operand that clang rejected.
bool separate_asm_operands(std::string& text, std::size_t at);

// __shared__ Type object; where Type has a non-trivial constructor or destructor. As in nvcc, neither is called.
//
//   __shared__ Type a[4], b;    ->    union __reprise_shared_a { Type a[4]; (empty constructor and destructor) };
//                                     __shared__ __reprise_shared_a __reprise_shared_object_a;
//                                     auto& a = __reprise_shared_object_a.a;    (and the same for b; all on one line)
bool leave_shared_object_unconstructed(std::string& text, std::size_t at);

}  // namespace reprise_compiler::driver

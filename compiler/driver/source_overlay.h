// Where nvcc accepts what clang refuses, and a small change makes the difference, clang reads the files once more,
// changed at the places it complained about, under their own names (an overlay of its file system):
//
//   __shared__ alignas(16) int a[4];                        __shared__ _Alignas(16) int a[4];
//   __shared__ [[maybe_unused]] int b;                      __shared__ __attribute__((unused)) int b;
//   template <class... F>                            ->     template <class... F>
//   overloaded(F...) -> overloaded<F...>;                   __host__ __device__ overloaded(F...) -> overloaded<F...>;
//
// The first two are of local variables, where clang wants the standard's attributes first; in a macro alignas becomes
// clang's attribute too. The third is a deduction guide that device code uses: clang takes it for a function of the
// host. nvcc_syntax.h has the others: launches, operands of asm and shared objects with constructors.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workspace.h"

namespace reprise_compiler::driver {

class SourceOverlay {
 public:
  SourceOverlay(const Workspace& workspace, std::size_t number, const std::string& source)
      : workspace_(workspace), number_(number), source_(source) {}

  // Changes what clang's messages complain of. Returns whether there was anything, so that it is worth to compile
  // again.
  bool correct(const std::vector<std::string>& passes);
  // The messages for the user: the first ones where the last ones complain of what was
  // changed, which nobody wrote.
  const std::vector<std::string>& to_report(const std::vector<std::string>& last_passes) const;
  // For -ivfsoverlay; empty: nothing was changed.
  const std::string& path() const { return path_; }

 private:
  enum class Fault {
    attribute,
    attribute_in_macro,
    name_of_alignas,
    guide,
    launch_brackets,
    asm_operands,
    shared_constructor
  };

  const std::string& text_of(const std::string& file);                // as it is to be read by now
  static bool apply(Fault fault, std::string& text, std::size_t at);  // whether there was something to change
  bool change(const std::string& file, std::size_t line, std::size_t column, Fault fault);
  void write();

  const Workspace& workspace_;
  const std::size_t number_;
  const std::string source_;
  std::map<std::string, std::string> texts_;  // of the files that were changed
  std::map<std::string, std::string> files_;  // as they were
  std::set<std::pair<std::string, std::size_t>> changed_lines_;
  bool macro_changed_ = false;
  std::vector<std::string> first_messages_;
  std::string path_;
  int corrections_ = 0;
};

}  // namespace reprise_compiler::driver

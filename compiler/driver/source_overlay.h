// Makes clang accept sources that nvcc accepts and clang rejects. Where a small change is enough, the driver changes
// the files at the locations of clang's errors and compiles again; an overlay of the file system gives the changed
// copies their original names:
//
//   __shared__ alignas(16) int a[4];                        __shared__ _Alignas(16) int a[4];
//   __shared__ [[maybe_unused]] int b;                      __shared__ __attribute__((unused)) int b;
//   template <class... F>                            ->     template <class... F>
//   overloaded(F...) -> overloaded<F...>;                   __host__ __device__ overloaded(F...) -> overloaded<F...>;
//
// The first two are local variables, where clang wants standard attributes first; in a macro, alignas becomes clang's
// attribute too. The third is a deduction guide used by device code, which clang takes for a host function.
// nvcc_syntax.h has the other changes: launches, operands of asm and shared objects with constructors.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics.h"
#include "workspace.h"

namespace reprise_compiler::driver {

class SourceOverlay {
 public:
  SourceOverlay(const Workspace& workspace, std::size_t number, const std::string& source)
      : workspace_(workspace), number_(number), source_(source) {}

  // Corrects the faults that clang's messages point at. Returns whether any text changed, so that compiling again may
  // help.
  bool correct(const std::vector<std::string>& passes);
  // Returns the messages to show to the user: the last ones, unless they refer to changed text, which the user did not
  // write; then the first ones.
  const std::vector<std::string>& to_report(const std::vector<std::string>& last_passes) const;
  // For -ivfsoverlay; empty when nothing has changed.
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
  // Faults by file, then by line and column from the last to the first: a correction moves the text after it.
  using Faults = std::map<std::string, std::map<std::pair<std::size_t, std::size_t>, Fault, std::greater<>>>;

  static std::optional<Fault> fault_with_message(const std::string& words);
  static bool apply(Fault fault, std::string& text, std::size_t at);  // returns whether the text changed
  Faults find_faults(const std::vector<LocatedMessage>& messages);
  void add_attribute_fault(Faults& faults, const std::vector<LocatedMessage>& messages, std::size_t message,
                           std::size_t expansion);
  const std::string& text_of(const std::string& file);  // with the changes made so far
  bool change(const std::string& file, std::size_t line, std::size_t column, Fault fault);
  void write();

  const Workspace& workspace_;
  const std::size_t number_;
  const std::string source_;
  std::map<std::string, std::string> texts_;  // changed files
  std::map<std::string, std::string> files_;  // unchanged files
  std::set<std::pair<std::string, std::size_t>> changed_lines_;
  bool macro_changed_ = false;
  std::vector<std::string> first_messages_;
  std::string path_;
  int corrections_ = 0;
};

}  // namespace reprise_compiler::driver

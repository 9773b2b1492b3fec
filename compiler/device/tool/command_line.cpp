// Parsed by hand, since LLVM's option library already defines names such as --print-after.
#include "tool/command_line.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <vector>

#include "ir/diagnostic.h"

namespace reprise_compiler::device {
namespace {

constexpr const char* usage =
    R"(usage: reprise-device-cc BITCODE -o OBJECT --id ID [options]
  BITCODE            NVPTX bitcode or text, unoptimised, from clang --cuda-device-only
  -o FILE            output file; "-" is standard output
  --id TEXT          id that the host object registers
  -O0 .. -O3         optimisation (default -O3)
  -g                 keep debug information
  -G                 no optimisation, every variable visible in a debugger
  -march=CPU         target processor, or native (default x86-64-v3)
  --rdc              keep device symbols visible to other device objects
  --emit-llvm        write LLVM text instead of an object
  --print-after=PASS, --stop-after=PASS
                     print the module after a pass; stop after a pass and write the module as text
  --force-fibers     run every kernel with barriers as fibers
  --remarks          report which kernels run as fibers, and why
  -mllvm OPTION      pass an option to LLVM
)";

class Parser {
 public:
  Parser(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  Options parse() {
    for (; at_ < words_.size(); ++at_) {
      const llvm::StringRef word = words_[at_];
      if (!word.starts_with("-") || word == "-")
        options_.input = word;
      else
        option(word);
    }
    if (options_.input.empty()) fail("no input file");
    std::vector<const char*> llvm_words{"reprise-device-cc"};
    for (const std::string& word : llvm_options_) llvm_words.push_back(word.c_str());
    llvm::cl::ParseCommandLineOptions(int(llvm_words.size()), llvm_words.data());
    return options_;
  }

 private:
  // "-x value" or "--x=value"
  bool value(llvm::StringRef word, llvm::StringRef name, std::string& into) {
    if (word.consume_front(name)) {
      if (word.consume_front("=")) return into = word, true;
      if (word.empty()) {
        if (++at_ == words_.size()) fail(name + " needs a value");
        return into = words_[at_], true;
      }
    }
    return false;
  }

  void option(llvm::StringRef word) {
    std::string text;
    if (word == "--help") {
      llvm::outs() << usage;
      std::exit(0);
    }
    if (value(word, "-o", options_.output) || value(word, "--id", options_.module_id) ||
        value(word, "-march", options_.march) || value(word, "--print-after", options_.print_after) ||
        value(word, "--stop-after", options_.stop_after))
      return;
    if (value(word, "-mllvm", text)) return llvm_options_.push_back(text);
    if (word == "-g") return void(options_.debug_info = true);
    if (word == "-G") {
      options_.debug_info = options_.debug_variables = true;
      options_.optimisation = 0;
      return;
    }
    if (word == "--rdc") return void(options_.relocatable = true);
    if (word == "--emit-llvm") return void(options_.emit_llvm = true);
    if (word == "--remarks") return void(options_.remarks = true);
    if (word == "--force-fibers") return void(options_.force_fibers = true);
    if (word.size() == 3 && word.starts_with("-O") && '0' <= word[2] && word[2] <= '3')
      return void(options_.optimisation = unsigned(word[2] - '0'));
    fail("unknown option " + word + "; see --help");
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  Options options_;
  std::vector<std::string> llvm_options_;
};

}  // namespace

Options parse_command_line(int argc, char** argv) { return Parser(argc, argv).parse(); }

}  // namespace reprise_compiler::device

#include "inline_ptx.h"

#include <cctype>
#include <string_view>

namespace reprise_compiler::driver {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Scans preprocessed C++, which has no comments and no directives but line markers.
class Rewriter {
 public:
  explicit Rewriter(const std::string& in) : in_(in) { out_.reserve(in.size() + 64); }

  std::string rewrite() {
    while (at_ < in_.size()) {
      if (!is_word(in_[at_]))
        copy_one();
      else if (const std::string_view name = word(); name == "asm" || name == "__asm__" || name == "__asm")
        copy_asm();
      else
        copy(name.size());
      if (in_.compare(at_, 2, "R\"") == 0) copy_raw_string();
    }
    return std::move(out_);
  }

 private:
  std::string_view word() const {
    std::size_t end = at_;
    const bool number = std::isdigit(static_cast<unsigned char>(in_[at_]));
    const auto separates = [&](std::size_t i) {
      return number && in_[i] == '\'' && i + 1 < in_.size() && is_word(in_[i + 1]);
    };
    while (end < in_.size() && (is_word(in_[end]) || separates(end))) ++end;
    // The R of a raw string is not part of the word before the quote: u8R"(...)".
    if (end < in_.size() && in_[end] == '"' && in_[end - 1] == 'R') --end;
    return std::string_view(in_).substr(at_, end - at_);
  }
  void copy(std::size_t count) { out_.append(in_, at_, count), at_ += count; }
  void copy_one() { in_[at_] == '"' || in_[at_] == '\'' ? copy_literal() : copy(1); }

  void copy_literal() {
    const char quote = in_[at_];
    copy(1);
    while (at_ < in_.size() && in_[at_] != quote && in_[at_] != '\n') copy(in_[at_] == '\\' ? 2 : 1);
    if (at_ < in_.size()) copy(1);
  }
  void copy_raw_string() {
    const std::size_t open = in_.find('(', at_);
    if (open == std::string::npos) return copy(2);
    const std::string close = ")" + in_.substr(at_ + 2, open - at_ - 2) + "\"";
    const std::size_t end = in_.find(close, open);
    copy(end == std::string::npos ? in_.size() - at_ : end + close.size() - at_);
  }

  // Copies white space and the line markers between tokens.
  void copy_space() {
    while (at_ < in_.size()) {
      if (std::isspace(static_cast<unsigned char>(in_[at_])))
        copy(1);
      else if (in_[at_] == '#' && at_ > 0 && in_[at_ - 1] == '\n')
        copy(in_.find('\n', at_) - at_);
      else
        return;
    }
  }

  // asm [volatile|inline|goto...] ( "template"... : operands )
  void copy_asm() {
    copy(word().size());
    for (;;) {
      copy_space();
      const std::string_view qualifier = at_ < in_.size() && is_word(in_[at_]) ? word() : "";
      if (qualifier != "volatile" && qualifier != "__volatile__" && qualifier != "__volatile" &&
          qualifier != "inline" && qualifier != "goto")
        break;
      copy(qualifier.size());
    }
    if (at_ >= in_.size() || in_[at_] != '(') return;
    copy(1);
    const std::size_t begin = out_.size();
    for (copy_space(); at_ < in_.size(); copy_space()) {
      if (in_[at_] == '"')
        copy_literal();
      else if (in_.compare(at_, 2, "R\"") == 0)
        copy_raw_string();
      else
        break;
    }
    // Without operands, both compilers take the text literally.
    if (at_ < in_.size() && in_[at_] == ':') double_in(begin);
  }

  void double_in(std::size_t begin) {
    std::string fixed;
    for (std::size_t i = begin; i < out_.size(); ++i) {
      fixed += out_[i];
      if (out_[i] != '%') continue;
      const char next = i + 1 < out_.size() ? out_[i + 1] : 0;
      if (next == '%')
        fixed += out_[++i];
      else if (!std::isdigit(static_cast<unsigned char>(next)) && next != '[')
        fixed += '%';
    }
    out_.replace(begin, std::string::npos, fixed);
  }

  const std::string& in_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string double_percents(const std::string& preprocessed) { return Rewriter(preprocessed).rewrite(); }

}  // namespace reprise_compiler::driver

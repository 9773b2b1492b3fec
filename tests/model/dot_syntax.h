// Checks that a text is valid in Graphviz's language, as far as cudaGraphDebugDotPrint uses it: with a parser of our
// own, and with dot where it is installed.
//
//   digraph ID { statement... }
//   statement: ID [-> ID] [attributes] ;   |   ID = ID ;   |   subgraph ID { statement... }
#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace model {

class DotText {
 public:
  explicit DotText(std::string text) : text_(std::move(text)) {}

  // Empty if valid; otherwise the error and its position.
  std::string mistake() {
    if (!word("digraph") || !id() || !block() || (skip(), at_ != text_.size())) {
      return "wrong at byte " + std::to_string(at_) + ": " + text_.substr(at_, 60);
    }
    return "";
  }
  int nodes() const { return nodes_; }
  int edges() const { return edges_; }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool sign(const std::string& wanted) {
    skip();
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }
  static bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
  bool word(const std::string& wanted) {
    const size_t before = at_;
    if (sign(wanted) && (at_ == text_.size() || !is_letter(text_[at_]))) return true;
    at_ = before;
    return false;
  }
  bool id() {
    skip();
    if (at_ == text_.size()) return false;
    if (text_[at_] == '"') return quoted();
    const size_t before = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    return at_ != before;
  }
  // Our strings contain no newline.
  bool quoted() {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return true;
      }
    }
    return false;
  }
  bool block() {
    if (!sign("{")) return false;
    while (!sign("}")) {
      if (!statement()) return false;
    }
    return true;
  }
  bool statement() {
    if (word("subgraph")) return id() && block();
    if (!id()) return false;
    if (sign("=")) return id() && sign(";");
    const bool edge = sign("->");
    if (edge && !id()) return false;
    edge ? ++edges_ : ++nodes_;
    return attributes() && sign(";");
  }
  bool attributes() {
    if (!sign("[")) return true;
    while (!sign("]")) {
      if (!id() || !sign("=") || !id()) return false;
    }
    return true;
  }

  const std::string text_;
  size_t at_ = 0;
  int nodes_ = 0, edges_ = 0;
};

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline bool has_graphviz() { return std::system("dot -V >/dev/null 2>&1") == 0; }
// Graphviz's messages; empty if it accepts the text.
inline std::string graphviz_says(const std::string& path, const char* format) {
  const std::string words = path + ".says";
  const int status =
      std::system(("dot -T" + std::string(format) + " -o /dev/null '" + path + "' 2>'" + words + "'").c_str());
  std::string said = text_of(words);
  std::remove(words.c_str());
  if (status != 0) said += " status " + std::to_string(status);
  return said;
}

}  // namespace model

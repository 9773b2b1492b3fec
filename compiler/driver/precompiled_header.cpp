#include "precompiled_header.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "gpu_architecture.h"
#include "option_table.h"

namespace reprise_compiler::driver {
namespace {

using Words = std::vector<std::string>;

std::string options_file(const std::string& precompiled) { return precompiled + ".options"; }

// Returns the options that affect a header's contents, as the user writes them.
Words options_seen_by_headers(const Options& o) {
  Words seen;
  const auto add_if = [&seen](bool given, const std::string& word) {
    if (given) seen.push_back(word);
  };
  const auto add_all = [&add_if](const Words& words, const char* prefix) {
    for (const std::string& word : words) add_if(!word.starts_with("-W") && word != "-w", prefix + word);
  };
  add_all(o.frontend, "");
  add_all(o.macros, "");
  add_all(o.include_paths, "");
  add_all(o.pre_includes, "-include ");
  add_all(o.host_compiler, "-Xcompiler ");
  add_if(true, "-arch=sm_" + std::to_string(architecture(o)) + (o.architecture_specific ? "a" : ""));
  add_if(o.per_thread_default_stream, "-default-stream=per-thread");
  add_if(o.relocatable_device_code, "-rdc=true");
  add_if(o.extended_lambda, "-extended-lambda");
  add_if(o.relaxed_constexpr, "-expt-relaxed-constexpr");
  add_if(o.fast_math, "-use_fast_math");
  add_if(o.device_debug, "-G");
  return seen;
}

Words read_lines(const std::string& path) {
  std::ifstream file(path);
  Words lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string first_not_in(const Words& words, const Words& others) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(others.begin(), others.end(), word) == others.end();
  });
  return found == words.end() ? "" : *found;
}

std::string difference(const Words& made_with, const Words& now) {
  if (const std::string word = first_not_in(now, made_with); !word.empty()) return "was made without '" + word + "'";
  if (const std::string word = first_not_in(made_with, now); !word.empty())
    return "was made with '" + word + "', which this command lacks";
  return "was made with the same options in another order";
}

}  // namespace

bool record_precompiled_options(const Options& options, const std::string& header, const std::string& precompiled) {
  std::ofstream file(options_file(precompiled));
  file << std::filesystem::absolute(header).string() << '\n';
  for (const std::string& word : options_seen_by_headers(options)) file << word << '\n';
  file.close();
  return !file.fail();
}

std::string precompiled_from(const std::string& precompiled) {
  const Words lines = read_lines(options_file(precompiled));
  return lines.empty() ? "" : lines[0];
}

void check_precompiled_header(const Options& options) {
  const std::string& name = options.precompiled;
  std::error_code ignored;
  for (const std::string& part : {name, device_half(name), options_file(name)})
    if (!std::filesystem::is_regular_file(part, ignored))
      throw UsageError("no precompiled header '" + part + "': make it with --create-pch=" + name + " HEADER");
  Words made_with = read_lines(options_file(name));
  if (!made_with.empty()) made_with.erase(made_with.begin());
  const Words now = options_seen_by_headers(options);
  if (made_with != now)
    throw UsageError("the precompiled header '" + name + "' " + difference(made_with, now) +
                     ": make it again with the options of this command, or remove --use-pch");
}

std::string explain_refused_header(const std::string& messages, const std::string& precompiled) {
  if (precompiled.empty()) return "";
  for (const char* words : {"precompiled header", "precompiled file", "PCH file", "AST file"})
    if (messages.find(words) != std::string::npos)
      return "reprise-nvcc: error: the precompiled header '" + precompiled +
             "' does not match this command: make it again with the same options, or remove --use-pch\n";
  return "";
}

}  // namespace reprise_compiler::driver

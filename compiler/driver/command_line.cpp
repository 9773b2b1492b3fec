#include "command_line.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "option_table.h"
#include "standard_input.h"

namespace reprise_compiler::driver {
namespace {

std::string read_options_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("cannot read the options file '" + path + "'");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void append_expanded(std::vector<std::string>& out, const std::vector<std::string>& in, int depth) {
  if (depth > 16) throw UsageError("options files are nested more than 16 deep; they may include each other");
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::string file;
    if (in[i].size() > 1 && in[i][0] == '@')
      file = in[i].substr(1);
    else if ((in[i] == "--options-file" || in[i] == "-optf") && i + 1 < in.size())
      file = in[++i];
    else if (in[i].starts_with("--options-file="))
      file = in[i].substr(15);
    else if (in[i].starts_with("-optf="))
      file = in[i].substr(6);
    if (file.empty())
      out.push_back(in[i]);
    else
      append_expanded(out, split_words(read_options_file(file)), depth + 1);
  }
}

// Splits a list at its commas. A comma behind a backslash or within quotes does not split; as in nvcc, the quotes stay.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items(1);
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == ',')
      items.back() += text[++i];
    else if (c == ',' && !quote)
      items.emplace_back();
    else {
      if (c == quote)
        quote = 0;
      else if (!quote && (c == '"' || c == '\''))
        quote = c;
      items.back() += c;
    }
  }
  std::erase(items, "");
  return items;
}

// nvcc passes the values of these options to a shell, so spaces separate as well: -Xcompiler "-Wall -Wextra".
bool splits_at_spaces(const OptionRow& row) {
  return row.short_name == "Xcompiler" || row.short_name == "Xlinker" || row.short_name == "Xarchive";
}

void apply(Options& options, const OptionRow& row, const std::string& value) {
  if (row.arguments != Arguments::list) return row.apply(options, value);
  for (const std::string& item : split_list(value)) {
    if (!splits_at_spaces(row)) {
      row.apply(options, item);
      continue;
    }
    for (const std::string& word : split_words(item)) row.apply(options, word);
  }
}

Language language_of(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension();
  if (suffix == ".cu") return Language::cuda;
  if (suffix == ".c") return Language::c;
  if (suffix == ".cc" || suffix == ".cpp" || suffix == ".cxx" || suffix == ".C" || suffix == ".c++" || suffix == ".ii")
    return Language::cxx;
  if (suffix == ".o" || suffix == ".a" || suffix == ".so" || suffix == ".obj" || suffix == ".lib")
    return Language::linker_input;
  if (path.find(".so.") != std::string::npos) return Language::linker_input;
  return Language::by_suffix;
}

// Parses the option at arguments[at]. Returns the number of arguments it consumed, 0 for an option that nvcc lacks.
std::size_t parse_option(Options& options, const std::vector<std::string>& arguments, std::size_t at,
                         std::string& language) {
  const std::string& word = arguments[at];
  const bool two_dashes = word.starts_with("--");
  const std::string text = word.substr(two_dashes ? 2 : 1);
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);

  const OptionRow* row = find_option(text, two_dashes);
  std::string value;
  std::size_t taken = 1;
  if (row && row->arguments != Arguments::none) {
    if (at + 1 == arguments.size()) throw UsageError("'" + word + "' expects an argument");
    value = arguments[at + 1];
    taken = 2;
  } else if (!row && equals != std::string::npos && (row = find_option(name, two_dashes))) {
    if (row->arguments == Arguments::none)
      throw UsageError("'" + word.substr(0, word.find('=')) + "' takes no argument");
    value = text.substr(equals + 1);
  } else if (!row && !two_dashes && (row = find_glued_option(text))) {
    value = text.substr(row->short_name.size());
  }
  if (!row) return 0;
  if (row->short_name == "x") language = value;
  apply(options, *row, value);
  return taken;
}

// Passes an option that nvcc lacks to the host compiler or linker, if the user asked for that.
void forward_unknown(Options& options, const std::string& word) {
  if (!options.forward_unknown_to_compiler && !options.forward_unknown_to_linker)
    throw UsageError("unknown option '" + word + "' (pass options of the host compiler with -Xcompiler)");
  if (options.forward_unknown_to_compiler)
    options.host_compiler.push_back(word);
  else
    options.linker.push_back(word);
}

void check_header(const Options& o) {
  if (o.inputs.size() != 1)
    throw UsageError("--create-pch takes one header, which may include others; got " + std::to_string(o.inputs.size()) +
                     " inputs");
  if (is_standard_input(o.inputs[0].path))
    throw UsageError("--create-pch takes a file, not standard input: sources that use the header refer to its path");
  if (o.inputs[0].language != Language::cuda) throw UsageError("--create-pch takes CUDA C++: remove '-x'");
  if (!o.precompiled.empty())
    throw UsageError("--create-pch and --use-pch cannot be combined: a precompiled header cannot build on another one");
}

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (inside) words.push_back(word);
      word.clear();
      inside = false;
      continue;
    }
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i];
    else if (c == quote)
      quote = 0;
    else if (!quote && (c == '"' || c == '\''))
      quote = c;
    else
      word += c;
  }
  if (inside) words.push_back(word);
  return words;
}

std::vector<std::string> expand_arguments(int argc, char** argv) {
  const auto from_environment = [](const char* name) {
    const char* text = std::getenv(name);
    return text ? split_words(text) : std::vector<std::string>{};
  };
  std::vector<std::string> all = from_environment("NVCC_PREPEND_FLAGS");
  all.insert(all.end(), argv + 1, argv + argc);
  for (std::string& word : from_environment("NVCC_APPEND_FLAGS")) all.push_back(std::move(word));
  std::vector<std::string> expanded;
  append_expanded(expanded, all, 0);
  return expanded;
}

Options parse_command_line(const std::vector<std::string>& arguments) {
  Options options;
  std::string language;
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < arguments.size();) {
    if (arguments[i].size() < 2 || arguments[i][0] != '-') {
      options.inputs.push_back({arguments[i], language_of(arguments[i])});
      ++i;
      continue;
    }
    const std::size_t taken = parse_option(options, arguments, i, language);
    if (!taken) unknown.push_back(arguments[i]);
    i += taken ? taken : 1;
  }
  // An option after the unknown ones may have asked to forward them.
  for (const std::string& word : unknown) forward_unknown(options, word);
  for (Input& input : options.inputs) {
    if (input.language == Language::linker_input) continue;
    if (language == "cu") input.language = Language::cuda;
    if (language == "c++") input.language = Language::cxx;
    if (language == "c") input.language = Language::c;
    // Only CUDA C++ can be precompiled, whatever the suffix of the header.
    if (language.empty() && options.stage == Stage::precompile) input.language = Language::cuda;
  }
  return options;
}

void check_command_line(const Options& o) {
  if (o.help || o.version || o.list_architectures || o.list_codes) return;
  if (o.inputs.empty()) throw UsageError("no input files; see --help");
  if (o.stage == Stage::precompile) check_header(o);
  const bool one_output_each = o.stage == Stage::compile || o.stage == Stage::preprocess;
  std::size_t sources = 0, from_standard_input = 0;
  for (const Input& input : o.inputs) {
    if (is_standard_input(input.path) && ++from_standard_input > 1)
      throw UsageError("'-' is given twice: standard input can be read only once");
    sources += input.language != Language::linker_input;
    if (input.language == Language::by_suffix)
      throw UsageError("cannot tell the language of '" + input.path + "': name it with -x cu, -x c++ or -x c");
    if (!o.dry_run && !is_standard_input(input.path) && !std::filesystem::exists(input.path))
      throw UsageError("no such file: '" + input.path + "'");
  }
  if (one_output_each && !o.output.empty() && sources > 1)
    throw UsageError("one output file (-o) for " + std::to_string(sources) +
                     " inputs: remove -o, or compile the inputs one by one");
  if (o.dependencies != Dependencies::none && !o.dependency_file.empty() && sources > 1)
    throw UsageError("one dependency file (-MF) for " + std::to_string(sources) +
                     " inputs: remove -MF, or compile the inputs one by one");
  if (o.optimisation.size() > 1 || o.optimisation.find_first_not_of("0123s") != std::string::npos)
    throw UsageError("'" + o.optimisation + "' is not a value of -O; use 0, 1, 2 or 3");
}

}  // namespace reprise_compiler::driver

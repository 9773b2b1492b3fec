#include "host_flags.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace reprise_compiler::driver {
namespace {

bool starts_with_any(const std::string& flag, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return flag.starts_with(prefix); });
}

bool takes_value(const std::string& flag) {
  constexpr std::array names{"-I",      "-D",       "-U", "-include", "-isystem", "-idirafter",
                             "-iquote", "-imacros", "-L", "-x",       "-Xlinker"};
  return std::find(names.begin(), names.end(), flag) != names.end();
}

bool concerns_device_pass(const std::string& flag) {
  if (flag.starts_with("-Wl,") || flag.starts_with("-Wa,")) return false;
  return starts_with_any(flag, {"-I",
                                "-D",
                                "-U",
                                "-include",
                                "-isystem",
                                "-idirafter",
                                "-iquote",
                                "-imacros",
                                "-W",
                                "-w",
                                "-pedantic",
                                "-std=",
                                "-pthread",
                                "-fno-exceptions",
                                "-fexceptions",
                                "-fno-rtti",
                                "-frtti",
                                "-fsigned-char",
                                "-funsigned-char",
                                "-fshort-enums",
                                "-fms-extensions",
                                "-fpermissive",
                                "-ferror-limit",
                                "-fmax-errors",
                                "-ftemplate-",
                                "-fconstexpr-",
                                "-fbracket-depth",
                                "-fdiagnostics-",
                                "-fcolor-diagnostics",
                                "-fno-caret-diagnostics"});
}

}  // namespace

std::vector<std::string> flags_for_device_pass(const std::vector<std::string>& host_flags) {
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < host_flags.size(); ++i) {
    const bool pair = takes_value(host_flags[i]) && i + 1 < host_flags.size();
    if (concerns_device_pass(host_flags[i])) {
      flags.push_back(host_flags[i]);
      if (pair) flags.push_back(host_flags[i + 1]);
    }
    // The device pass also parses host code, which may test for OpenMP; it ignores the pragmas.
    if (host_flags[i] == "-fopenmp")
      flags.insert(flags.end(), {"-D_OPENMP=202011", "-Wno-source-uses-openmp", "-Wno-unknown-pragmas"});
    i += pair;
  }
  return flags;
}

std::vector<std::string> flags_for_linking(const std::vector<std::string>& host_flags) {
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < host_flags.size(); ++i) {
    const bool pair = takes_value(host_flags[i]) && i + 1 < host_flags.size();
    const bool for_preprocessor =
        starts_with_any(host_flags[i], {"-I", "-D", "-U", "-include", "-isystem", "-idirafter", "-iquote", "-imacros"});
    const bool warning = host_flags[i].starts_with("-W") && !host_flags[i].starts_with("-Wl,");
    if (!for_preprocessor && !warning) {
      flags.push_back(host_flags[i]);
      if (pair) flags.push_back(host_flags[i + 1]);
    }
    i += pair;
  }
  return flags;
}

bool is_openmp_library(const std::string& flag) {
  constexpr std::array<std::string_view, 4> names{"-lgomp", "-lomp", "-lomp5", "-liomp5"};
  return std::find(names.begin(), names.end(), flag) != names.end();
}

bool is_runtime_library(const std::string& flag) {
  // cuRAND's device side is in the headers and the runtime; NVTX is header-only.
  constexpr std::array<std::string_view, 6> names{"-lcudart", "-lcudart_static", "-lcudadevrt",
                                                  "-lcuda",   "-lcurand",        "-lnvToolsExt"};
  return std::find(names.begin(), names.end(), flag) != names.end();
}

}  // namespace reprise_compiler::driver

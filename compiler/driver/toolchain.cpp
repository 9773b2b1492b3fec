#include "toolchain.h"

#include <unistd.h>

#include <cstdlib>

#include "option_table.h"

namespace reprise_compiler::driver {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::string search_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::string directories = path ? path : "/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= directories.size();) {
    std::size_t end = directories.find(':', begin);
    if (end == std::string::npos) end = directories.size();
    const fs::path candidate = fs::path(directories.substr(begin, end - begin)) / name;
    if (is_program(candidate)) return candidate;
    begin = end + 1;
  }
  return "";
}

std::string find_clang() {
  if (const char* named = std::getenv("REPRISE_CLANG")) {
    const std::string found = search_path(named);
    if (found.empty())
      throw UsageError(std::string("REPRISE_CLANG names '") + named + "', which is not an executable file");
    return found;
  }
  for (const char* name : {"clang++-19", "/usr/lib/llvm-19/bin/clang++"})
    if (const std::string found = search_path(name); !found.empty()) return found;
  throw UsageError(
      "clang++-19 was not found: install it (on Debian and Ubuntu 'apt install clang-19'), or set "
      "REPRISE_CLANG to its path");
}

std::string find_device_compiler(const fs::path& prefix) {
  for (const char* directory : {"bin", "libexec/reprise"})
    if (const fs::path candidate = prefix / directory / "reprise-device-cc"; is_program(candidate)) return candidate;
  throw UsageError("reprise-device-cc was not found in " + (prefix / "bin").string() + " nor in " +
                   (prefix / "libexec/reprise").string() + ": the installation is incomplete");
}

// -ccbin takes a compiler or the directory of one.
std::string find_host_compiler(const Options& options, const std::string& clang) {
  if (options.host_compiler_path.empty()) return clang;
  std::error_code ignored;
  if (fs::is_directory(options.host_compiler_path, ignored)) {
    for (const char* name : {"g++", "clang++"})
      if (const fs::path candidate = fs::path(options.host_compiler_path) / name; is_program(candidate))
        return candidate;
  } else if (const std::string found = search_path(options.host_compiler_path); !found.empty()) {
    return found;
  }
  throw UsageError("no host compiler at '" + options.host_compiler_path + "' (-ccbin)");
}

// In the tree, or where pip puts NVIDIA's wheel beside that of Reprise, whose tree is site-packages/reprise_tree/tree.
fs::path find_cccl(const fs::path& prefix) {
  for (const fs::path& candidate :
       {prefix / "include/cccl", prefix.parent_path().parent_path() / "nvidia/cu13/include/cccl"})
    if (std::error_code ignored; fs::exists(candidate / "cub", ignored)) return candidate;
  return "";
}

fs::path find_libraries(const fs::path& prefix) {
  for (const char* directory : {"lib", REPRISE_LIBRARY_DIRECTORY, "lib64"})
    if (std::error_code ignored; fs::exists(prefix / directory / "libreprise.so", ignored)) return prefix / directory;
  return prefix / "lib";
}

}  // namespace

Toolchain find_toolchain(const Options& options) {
  Toolchain t;
  t.prefix = fs::canonical("/proc/self/exe").parent_path().parent_path();
  t.headers = t.prefix / "include/reprise";
  t.cccl = find_cccl(t.prefix);
  t.libraries = find_libraries(t.prefix);
  t.toolkit = t.libraries / "reprise/cuda";
  t.clang = find_clang();
  t.openmp = fs::canonical(t.clang).parent_path().parent_path() / "lib/libomp.so";
  t.device_compiler = find_device_compiler(t.prefix);
  t.host_compiler = find_host_compiler(options, t.clang);
  return t;
}

}  // namespace reprise_compiler::driver

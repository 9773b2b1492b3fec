#include "installation.h"

#include <unistd.h>

#include <cstdlib>

namespace reprise_tool {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

fs::path find_libraries(const fs::path& prefix) {
  for (const char* directory : {"lib", "lib/x86_64-linux-gnu", "lib64"})
    if (is_there(prefix / directory / "libreprise.so")) return prefix / directory;
  return prefix / "lib";
}

// As reprise-nvcc: in the tree, or where pip puts NVIDIA's wheel beside ours.
fs::path find_cccl(const fs::path& prefix) {
  for (const fs::path& candidate :
       {prefix / "include/cccl", prefix.parent_path().parent_path() / "nvidia/cu13/include/cccl"})
    if (is_there(candidate / "cub")) return candidate;
  return "";
}

}  // namespace

Installation find_installation() {
  Installation found;
  found.prefix = fs::canonical("/proc/self/exe").parent_path().parent_path();
  found.nvcc = found.prefix / "bin/reprise-nvcc";
  found.device_compiler = found.prefix / "bin/reprise-device-cc";
  found.libraries = find_libraries(found.prefix);
  found.runtime = found.libraries / "libreprise.so";
  found.headers = found.prefix / "include/reprise";
  found.cuda_home = found.libraries / "reprise/cuda";
  found.data = found.prefix / "share/reprise";
  found.cccl = find_cccl(found.prefix);
  return found;
}

std::string find_program(const std::string& name) {
  const auto is_program = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");
  const std::string directories = path ? path : "/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= directories.size();) {
    std::size_t end = directories.find(':', begin);
    if (end == std::string::npos) end = directories.size();
    const fs::path candidate = fs::path(directories.substr(begin, end - begin)) / name;
    if (is_program(candidate)) return candidate;
    begin = end + 1;
  }
  return "";
}

}  // namespace reprise_tool

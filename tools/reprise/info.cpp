// reprise info: version and paths of this installation, as a table, or one value for a script.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "installation.h"
#include "runtime.h"
#include "subcommands.h"

namespace reprise_tool {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string describe(const cudaDeviceProp& device) {
  char text[400];
  std::snprintf(text, sizeof text, "%s, %d cores, %.1f GiB, compute capability %d.%d", device.name,
                device.multiProcessorCount, static_cast<double>(device.totalGlobalMem) / (1 << 30), device.major,
                device.minor);
  return text;
}

Rows rows() {
  const Installation here = find_installation();
  const Runtime runtime(here.runtime);
  const int version = runtime.cuda_version();
  Rows rows{{"version", REPRISE_VERSION},
            {"cuda", std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)},
            {"prefix", here.prefix},
            {"nvcc", here.nvcc},
            {"include", here.headers},
            {"lib", here.libraries},
            {"cuda_home", here.cuda_home},
            {"cmake", here.libraries / "cmake/Reprise"},
            {"pkgconfig", here.libraries / "pkgconfig"},
            {"cccl", here.cccl.empty() ? "not installed" : here.cccl.string()}};
  for (int device = 0; device < runtime.device_count(); ++device)
    rows.emplace_back("device" + std::to_string(device), describe(runtime.properties(device)));
  return rows;
}

void print(const std::string& wanted) {
  std::string names;
  for (const auto& [name, value] : rows()) {
    if (wanted.empty())
      std::printf("%-10s %s\n", name.c_str(), value.c_str());
    else if (wanted == name)
      return void(std::printf("%s\n", value.c_str()));
    names += (names.empty() ? "" : ", ") + name;
  }
  if (!wanted.empty()) throw Failure("there is no '" + wanted + "'; there are " + names, 2);
}

}  // namespace

void add_info(CLI::App& application) {
  const auto wanted = std::make_shared<std::string>();
  CLI::App* command = application.add_subcommand("info", "Print what is installed and where, and the devices");
  command->add_option("name", *wanted, "print this value alone, as in CUDA_HOME=$(reprise info cuda_home)");
  command->callback([=] { print(*wanted); });
}

}  // namespace reprise_tool

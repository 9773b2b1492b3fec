#include "foreign_toolkit.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "option_table.h"

namespace reprise_compiler::driver {
namespace {

namespace fs = std::filesystem;

// Prefixes of the names of a toolkit's headers and header directories.
constexpr std::array<std::string_view, 32> header_names{"cub",           "cuda",
                                                        "cudnn",         "cufft",
                                                        "cufile",        "cuinj",
                                                        "cupti",         "curand",
                                                        "cusolver",      "cusparse",
                                                        "cutensor",      "cutlass",
                                                        "cccl",          "cooperative_groups",
                                                        "crt",           "nccl",
                                                        "npp",           "nvJitLink",
                                                        "nvPTXCompiler", "nvblas",
                                                        "nvfatbin",      "nvjpeg",
                                                        "nvml",          "nvperf",
                                                        "nvrtc",         "nvToolsExt",
                                                        "nvtx3",         "nvvm",
                                                        "nv_decode",     "sm_",
                                                        "thrust",        "fatbinary_section"};

struct Library {
  std::string_view prefix;  // of the name given with -l
  std::string_view display_name;
};
constexpr std::array libraries{
    Library{"cublasLt", "cublasLt"}, Library{"cudnn", "cuDNN"},         Library{"cufft", "cuFFT"},
    Library{"cufile", "cuFile"},     Library{"cupti", "CUPTI"},         Library{"cusolver", "cuSOLVER"},
    Library{"cusparse", "cuSPARSE"}, Library{"cutensor", "cuTENSOR"},   Library{"nccl", "NCCL"},
    Library{"npp", "NPP"},           Library{"nvJitLink", "nvJitLink"}, Library{"nvblas", "NVBLAS"},
    Library{"nvjpeg", "nvJPEG"},     Library{"nvidia-ml", "NVML"},      Library{"nvptxcompiler", "the PTX compiler"},
    Library{"nvrtc", "NVRTC"},       Library{"nvvm", "NVVM"},
};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_named(const Options& options, const fs::path& directory) {
  std::error_code ignored;
  return std::any_of(options.include_paths.begin(), options.include_paths.end(), [&](const std::string& flag) {
    return fs::equivalent(flag.substr(flag.starts_with("-isystem") ? 8 : 2), directory, ignored);
  });
}

std::vector<fs::path> directories_with_toolkit(const Options& options) {
  std::vector<fs::path> found;
  for (const fs::path directory : {"/usr/local/include", "/usr/include"})
    if (is_there(directory / "cuda_runtime_api.h") && !is_named(options, directory)) found.push_back(directory);
  return found;
}

// Some installations link to the headers from here, so links are resolved too.
bool belongs_to_toolkit(const fs::directory_entry& entry) {
  std::error_code ignored;
  if (entry.is_symlink(ignored) && is_there(fs::canonical(entry.path(), ignored).parent_path() / "cuda_runtime_api.h"))
    return true;
  const std::string name = entry.path().filename();
  return name == "nv" || std::any_of(header_names.begin(), header_names.end(),
                                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Adds the entries of `directory` to the overlay, descending into the parents of filtered directories.
void list_visible(const fs::path& directory, const std::vector<fs::path>& filtered, std::string& roots) {
  const bool is_filtered = std::find(filtered.begin(), filtered.end(), directory) != filtered.end();
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, failed)) {
    if (is_filtered && belongs_to_toolkit(entry)) continue;
    const std::string path = entry.path();
    const bool on_the_way = std::any_of(filtered.begin(), filtered.end(), [&](const fs::path& each) {
      return each == entry.path() || each.string().starts_with(path + "/");
    });
    if (on_the_way) {
      list_visible(entry.path(), filtered, roots);
      continue;
    }
    std::error_code ignored;
    roots += (roots.empty() ? "" : ",\n") +
             ("{ \"type\": \"" + std::string(entry.is_directory(ignored) ? "directory-remap" : "file")) +
             "\", \"name\": " + quoted(path) + ", \"external-contents\": " + quoted(path) + " }";
  }
}

// Whether a directory named with -L has libNAME.so or libNAME.a.
bool is_in_named_directory(const Options& options, const std::string& name) {
  return std::any_of(options.libraries.begin(), options.libraries.end(), [&](const std::string& flag) {
    if (!flag.starts_with("-L")) return false;
    const fs::path directory = flag.substr(2);
    return is_there(directory / ("lib" + name + ".so")) || is_there(directory / ("lib" + name + ".a"));
  });
}

}  // namespace

std::string hide_toolkit_headers(const Options& options, const Workspace& workspace) {
  const std::vector<fs::path> filtered = directories_with_toolkit(options);
  if (filtered.empty()) return "";
  std::string roots;
  list_visible("/", filtered, roots);
  const std::string path = workspace.file(0, "visible", ".overlay");
  std::ofstream(path) << "{ \"version\": 0, \"redirecting-with\": \"redirect-only\", \"use-external-names\": false, "
                         "\"roots\": [\n"
                      << roots << "\n] }\n";
  return path;
}

void check_libraries(const Options& options, const Toolchain& toolchain) {
  for (const std::string& flag : options.libraries) {
    if (!flag.starts_with("-l")) continue;
    const std::string name = flag.substr(2);
    const auto* library = std::find_if(libraries.begin(), libraries.end(),
                                       [&](const Library& each) { return name.starts_with(each.prefix); });
    if (library == libraries.end() || is_in_named_directory(options, name)) continue;
    if (is_there(toolchain.libraries / ("lib" + name + ".so")) || is_there(toolchain.libraries / ("lib" + name + ".a")))
      continue;
    throw UsageError(flag + ": Reprise has no " + std::string(library->display_name) +
                     "; to link NVIDIA's, name its directory with -L");
  }
}

}  // namespace reprise_compiler::driver

#include "runtime_link.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "host_flags.h"

namespace reprise_compiler::driver {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Returns a RUNPATH relative to the program if it is in or below the folder that holds the installation, so that the
// folder can be moved or copied as a whole. Empty for other programs.
std::string path_from_origin(const fs::path& libraries, const fs::path& prefix, const std::string& output) {
  std::error_code failed;
  const fs::path directory = fs::weakly_canonical(fs::absolute(output), failed).parent_path();
  const fs::path to_neighbour = directory.lexically_relative(prefix.parent_path());
  if (failed || prefix.parent_path() == "/" || to_neighbour.empty() || *to_neighbour.begin() == "..") return "";
  return "$ORIGIN/" + libraries.lexically_relative(directory).string();
}

Words shared_runtime(const Toolchain& t, const std::string& output) {
  Words words;
  if (const std::string path = path_from_origin(t.libraries, t.prefix, output); !path.empty())
    words = {"-Xlinker", "-rpath", "-Xlinker", path};
  // -lcudart is another name of the same library and is dropped as not needed. It is there for CMake, which reads
  // this line to learn how to link the runtime.
  words.insert(words.end(), {"-Wl,-rpath," + t.libraries.string() + ",--enable-new-dtags,-lreprise", "-Wl,--as-needed",
                             "-lcudart", "-Wl,--no-as-needed"});
  return words;
}

bool is_part_of_libc_or_archive(const std::string& flag) {
  constexpr std::array<std::string_view, 5> libc{"-lm", "-lc", "-lpthread", "-ldl", "-lrt"};
  return !flag.starts_with("-l") || flag.ends_with("_static") || is_runtime_library(flag) ||
         std::find(libc.begin(), libc.end(), flag) != libc.end();
}

bool is_shared_library(const std::string& input) {
  const std::string name = fs::path(input).filename();
  return name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

// Whether the program may link the C++ library statically. If one of its shared libraries may use the C++ library too,
// both must share one copy, because exceptions may pass between them.
bool may_contain_cxx_library(const Options& options, const Words& objects) {
  return !options.shared &&
         std::all_of(options.libraries.begin(), options.libraries.end(), is_part_of_libc_or_archive) &&
         std::none_of(objects.begin(), objects.end(), is_shared_library);
}

Words archived_runtime(const Options& options, const Toolchain& t, const Words& objects) {
  if (!may_contain_cxx_library(options, objects)) return {"-lcudart_static"};
  return {"-static-libstdc++", "-static-libgcc", (t.libraries / "libreprise_static.a").string(),
          "-Wl,-Bstatic",      "-lstdc++",       "-Wl,-Bdynamic",
          "-lpthread",         "-ldl",           "-lrt"};
}

}  // namespace

Words runtime_link_words(const Options& options, const Toolchain& toolchain, const Words& objects,
                         const std::string& output) {
  const Words& flags = options.host_compiler;
  if (options.runtime == Runtime::none) return {};
  if (std::find(flags.begin(), flags.end(), "-static") != flags.end()) return {"-lcudart_static"};
  return options.runtime == Runtime::shared ? shared_runtime(toolchain, output)
                                            : archived_runtime(options, toolchain, objects);
}

}  // namespace reprise_compiler::driver

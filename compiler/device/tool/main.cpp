// reprise-device-cc: the device half of reprise-nvcc. NVPTX bitcode in, an x86-64 object with one thunk per kernel out.
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include "ir/diagnostic.h"
#include "ir/llvm_passes.h"
#include "tool/command_line.h"
#include "tool/pipeline.h"

namespace reprise_compiler::device {
namespace {

std::unique_ptr<llvm::TargetMachine> make_machine(const Options& options) {
  const std::string triple = "x86_64-pc-linux-gnu";
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) fail(problem);
  std::string processor = options.march;
  llvm::SubtargetFeatures features;
  if (processor == "native") {
    processor = llvm::sys::getHostCPUName();
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.first(), feature.second);
  }
  llvm::TargetOptions target_options;
  target_options.UseInitArray = true;                           // LLVM's default, .ctors, works with GNU ld only
  target_options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // only where clang's contract flags allow it
  const auto level = options.optimisation ? llvm::CodeGenOptLevel::Aggressive : llvm::CodeGenOptLevel::None;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, processor, features.getString(), target_options, llvm::Reloc::PIC_, std::nullopt, level));
}

void write(DeviceModule& module, bool as_text) {
  std::error_code error;
  llvm::raw_fd_ostream stream(module.options.output, error);
  if (error) fail("cannot write " + module.options.output + ": " + error.message());
  if (as_text) {
    module.ir.print(stream, nullptr);
    return;
  }
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(target_library(module)));
  if (module.machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    fail("the target cannot write objects");
  passes.run(module.ir);
}

// Suppresses LLVM's warnings about pragmas it cannot honour. CUDA programs put `#pragma unroll` before loops of unknown
// length, and nvcc does not warn.
struct QuietAboutPragmas : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    return llvm::isa<llvm::DiagnosticInfoOptimizationFailure>(info);
  }
};

int compile(const Options& options) {
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<QuietAboutPragmas>());
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> ir = llvm::parseIRFile(options.input, problem, context);
  if (!ir) {
    problem.print("reprise-device-cc", llvm::errs());
    return 1;
  }
  std::unique_ptr<llvm::TargetMachine> machine = make_machine(options);
  DeviceModule module{*ir, options, *machine, {}, {}, {}};
  const bool finished = run_pipeline(module);
  if (!options.debug_info) llvm::StripDebugInfo(*ir);
  write(module, options.emit_llvm || !finished);
  return 0;
}

}  // namespace
}  // namespace reprise_compiler::device

int main(int argc, char** argv) {
  llvm::InitializeAllTargetInfos();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  return reprise_compiler::device::compile(reprise_compiler::device::parse_command_line(argc, argv));
}

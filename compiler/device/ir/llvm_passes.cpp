#include "ir/llvm_passes.h"

#include <llvm/Passes/PassBuilder.h>

#include <functional>

#include "ir/diagnostic.h"

namespace reprise_compiler::device {
namespace {

// Sets up analysis managers and pass builder, then calls `go`.
void run(
    DeviceModule& module,
    llvm::function_ref<void(llvm::PassBuilder&, llvm::ModuleAnalysisManager&, llvm::FunctionAnalysisManager&)> go) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = true;
  llvm::PassBuilder builder(&module.machine, tuning);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(target_library(module)); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  go(builder, modules, functions);
}

}  // namespace

llvm::TargetLibraryInfoImpl target_library(const DeviceModule& module) {
  const llvm::Triple& triple = module.machine.getTargetTriple();
  llvm::TargetLibraryInfoImpl library(triple);
  library.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC_X86, triple);
  return library;
}

void run_llvm_passes(DeviceModule& module, llvm::StringRef pipeline) {
  run(module, [&](llvm::PassBuilder& builder, llvm::ModuleAnalysisManager& modules, llvm::FunctionAnalysisManager&) {
    llvm::ModulePassManager passes;
    if (llvm::Error error = builder.parsePassPipeline(passes, pipeline)) fail(llvm::toString(std::move(error)));
    passes.run(module.ir, modules);
  });
}

void run_llvm_passes(DeviceModule& module, llvm::Function& function, llvm::StringRef pipeline) {
  run(module, [&](llvm::PassBuilder& builder, llvm::ModuleAnalysisManager&, llvm::FunctionAnalysisManager& functions) {
    llvm::FunctionPassManager passes;
    if (llvm::Error error = builder.parsePassPipeline(passes, pipeline)) fail(llvm::toString(std::move(error)));
    passes.run(function, functions);
  });
}

void run_default_pipeline(DeviceModule& module, unsigned level) {
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                            llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  run(module, [&](llvm::PassBuilder& builder, llvm::ModuleAnalysisManager& modules, llvm::FunctionAnalysisManager&) {
    auto passes = level ? builder.buildPerModuleDefaultPipeline(levels[level])
                        : builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
    passes.run(module.ir, modules);
  });
}

}  // namespace reprise_compiler::device

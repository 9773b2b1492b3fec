# CUDA programs of this project: built by reprise-nvcc from the build tree, or by nvcc in the preset `gpu`.
#
#   reprise_cuda_program(NAME SOURCES a.cu b.cpp [GTEST] [OPTIONS -rdc=true ...] [LIBRARIES ...]
#                        [PRECOMPILE_HEADERS ... | REUSE_FROM program])
#   reprise_cuda_library(NAME STATIC SOURCES a.cu b.cpp [OPTIONS ...] [PRECOMPILE_HEADERS ... | REUSE_FROM target])
#   reprise_cuda_tests([OPTIONS ...] [COMMON_HEADER support.h])
#     one program for each *_test.cu of the current directory, each of its tests a ctest. The common header is what every
#     test begins with; like GoogleTest's, which takes longer to read than most tests, it is read once for all.
include_guard(GLOBAL)
include(GoogleTest)

if(REPRISE_GPU)
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU architectures to compile for")
  find_program(REPRISE_NVCC nvcc PATHS /usr/local/cuda/bin REQUIRED)
  set(CMAKE_CUDA_COMPILER ${REPRISE_NVCC})
  enable_language(CUDA)
else()
  set(REPRISE_COMPILER_PARTS reprise-nvcc reprise-device-cc)
  include(RepriseCudaTargets)
endif()

function(_reprise_gpu_program name options)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  if("-rdc=true" IN_LIST options)
    set_target_properties(${name} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    list(REMOVE_ITEM options -rdc=true)
  endif()
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${options}>")
endfunction()

function(_reprise_cpu_program name options)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "REUSE_FROM" "SOURCES;PRECOMPILE_HEADERS")
  if(REPRISE_SANITIZER)
    # A comma would end a value of -Xcompiler.
    string(REPLACE "," "\\," sanitizers "${REPRISE_SANITIZER}")
    # Lines of host and device code; with -g kernels would not be optimized.
    list(APPEND options -lineinfo -Xcompiler -g -Xcompiler -fsanitize=${sanitizers} -Xcompiler -fno-omit-frame-pointer)
  endif()
  reprise_add_executable(${name} SOURCES ${arg_SOURCES} OPTIONS ${options}
                         PRECOMPILE_HEADERS ${arg_PRECOMPILE_HEADERS} REUSE_FROM ${arg_REUSE_FROM})
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
endfunction()

function(reprise_cuda_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "GTEST" "REUSE_FROM" "SOURCES;OPTIONS;LIBRARIES;PRECOMPILE_HEADERS")
  list(APPEND arg_OPTIONS -Xcompiler -Wall)
  if(REPRISE_GPU)
    _reprise_gpu_program(${name} "${arg_OPTIONS}" ${arg_SOURCES})
  else()
    _reprise_cpu_program(${name} "${arg_OPTIONS}" SOURCES ${arg_SOURCES}
                         PRECOMPILE_HEADERS ${arg_PRECOMPILE_HEADERS} REUSE_FROM ${arg_REUSE_FROM})
  endif()
  if(arg_GTEST)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
endfunction()

function(reprise_cuda_library name kind)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "REUSE_FROM" "SOURCES;OPTIONS;PRECOMPILE_HEADERS")
  list(APPEND arg_OPTIONS -Xcompiler -Wall)
  if(REPRISE_GPU)
    find_package(CUDAToolkit REQUIRED)
    add_library(${name} ${kind} ${arg_SOURCES})
    set_target_properties(${name} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${arg_OPTIONS}>")
    target_link_libraries(${name} PUBLIC CUDA::cudart_static)
  else()
    reprise_add_library(${name} ${kind} SOURCES ${arg_SOURCES} OPTIONS ${arg_OPTIONS}
                        PRECOMPILE_HEADERS ${arg_PRECOMPILE_HEADERS} REUSE_FROM ${arg_REUSE_FROM})
  endif()
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
endfunction()

# With nvcc the programs are built and no more: whoever has a GPU runs them (tests/conformance/run_on_gpu.sh).
function(reprise_cuda_tests)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMMON_HEADER" "OPTIONS")
  if(NOT REPRISE_GPU AND NOT TARGET reprise-device-cc)
    return()
  endif()
  get_filename_component(kind ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cu)
  # Worth its own time from the third program on.
  list(LENGTH sources count)
  set(precompiled)
  if(count GREATER 2)
    set(precompiled PRECOMPILE_HEADERS <gtest/gtest.h> ${arg_COMMON_HEADER})
  endif()
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    # What is tested is the runtime and the kernels; the host half need not be fast, but compiled soon.
    reprise_cuda_program(${kind}_${name} SOURCES ${source} GTEST OPTIONS -O0 ${arg_OPTIONS} ${precompiled})
    if(precompiled MATCHES "^PRECOMPILE_HEADERS")
      set(precompiled REUSE_FROM ${kind}_${name})
    endif()
    if(NOT REPRISE_GPU)
      gtest_discover_tests(${kind}_${name} TEST_PREFIX ${kind}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 600
                           PROPERTIES TIMEOUT 900 LABELS ${kind})
    endif()
  endforeach()
endfunction()

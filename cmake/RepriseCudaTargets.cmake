# CUDA programs and libraries built by reprise-nvcc, in a project with the language CXX only.
#
#   reprise_add_executable(NAME source... [OPTIONS option...] [PRECOMPILE_HEADERS header... | REUSE_FROM target])
#   reprise_add_library(NAME [STATIC|SHARED|MODULE] source... [OPTIONS ...] [PRECOMPILE_HEADERS ...])
#
# .cu sources are compiled by reprise-nvcc, the others as usual. Include directories, definitions, CXX_STANDARD and
# POSITION_INDEPENDENT_CODE of the target apply to both, also if they are set later or come from libraries. OPTIONS are
# for reprise-nvcc only. With `-rdc=true` the target's files can use each other's device functions.
#
# PRECOMPILE_HEADERS are precompiled for all .cu sources of the target, as with target_precompile_headers: <system/header>
# or a file. REUSE_FROM uses those of another target of this directory, which must have the same options, definitions and
# include directories.
include_guard(GLOBAL)
# CMake converts the paths in dependency files for every generator.
cmake_policy(PUSH)
cmake_policy(SET CMP0116 NEW)

# The target's compile properties as options of reprise-nvcc.
function(_reprise_cuda_flags result target)
  set(includes $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>)
  set(definitions $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>)
  set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
  # $<SEMICOLON>: an item of this list may expand to several arguments, but only at generation time.
  set(${result}
    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
    "$<$<BOOL:${standard}>:-std=c++${standard}>"
    "$<$<CONFIG:Debug>:-g>" "$<$<CONFIG:RelWithDebInfo>:-O2$<SEMICOLON>-g>" "$<$<CONFIG:Release>:-O3>"
    "$<$<CONFIG:MinSizeRel>:-O1>" "$<$<NOT:$<OR:$<CONFIG:>,$<CONFIG:Debug>>>:-DNDEBUG>"
    "$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-Xcompiler$<SEMICOLON>-fPIC>" PARENT_SCOPE)
endfunction()

# Precompiles the target's headers; `result` is the path of the file.
function(_reprise_precompile result target options)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir)
  set(text "// The headers that the CUDA sources of ${target} begin with.\n")
  foreach(header ${ARGN})
    if(NOT header MATCHES "^<.*>$")
      get_filename_component(header ${header} ABSOLUTE)
      set(header "\"${header}\"")
    endif()
    string(APPEND text "#include ${header}\n")
  endforeach()
  set(header ${directory}/cuda_precompiled.h)
  file(CONFIGURE OUTPUT ${header} CONTENT "${text}" @ONLY)
  set(precompiled ${directory}/cuda_precompiled.pch)
  _reprise_cuda_flags(flags ${target})
  add_custom_command(
    OUTPUT ${precompiled}
    BYPRODUCTS ${precompiled}.device ${precompiled}.options
    COMMAND Reprise::nvcc --create-pch ${precompiled} ${header} -MD -MF ${precompiled}.d -MT ${precompiled} "${flags}"
            "${options}"
    DEPENDS ${header} ${REPRISE_COMPILER_PARTS}
    DEPFILE ${precompiled}.d
    COMMENT "Precompiling CUDA headers of ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
  # Several targets may depend on the file; this one makes it.
  add_custom_target(${target}_precompiled DEPENDS ${precompiled})
  set(${result} ${precompiled} PARENT_SCOPE)
endfunction()

function(_reprise_cuda_objects result target options precompiled)
  _reprise_cuda_flags(flags ${target})
  set(use)
  if(precompiled)
    set(use --use-pch ${precompiled})
  endif()
  set(objects)
  foreach(source ${ARGN})
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH relative ${CMAKE_CURRENT_SOURCE_DIR} ${path})
    string(REPLACE ".." "__" relative ${relative})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${relative}.o)
    get_filename_component(directory ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${directory})
    add_custom_command(
      OUTPUT ${object}
      COMMAND Reprise::nvcc -c ${path} -o ${object} -MD -MF ${object}.d -MT ${object} ${use} "${flags}" "${options}"
      DEPENDS ${path} ${precompiled} ${REPRISE_COMPILER_PARTS}
      DEPFILE ${object}.d
      COMMENT "Building CUDA object ${relative}.o"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Splits `sources` by kind and adds the objects of .cu sources to the target.
function(_reprise_use_cuda_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "REUSE_FROM" "SOURCES;OPTIONS;PRECOMPILE_HEADERS")
  set(cuda_sources ${arg_SOURCES})
  list(FILTER cuda_sources INCLUDE REGEX "\\.cu$")
  set(precompiled)
  if(arg_PRECOMPILE_HEADERS)
    _reprise_precompile(precompiled ${target} "${arg_OPTIONS}" ${arg_PRECOMPILE_HEADERS})
    set_target_properties(${target} PROPERTIES REPRISE_PRECOMPILED ${precompiled})
  elseif(arg_REUSE_FROM)
    get_target_property(precompiled ${arg_REUSE_FROM} REPRISE_PRECOMPILED)
    if(NOT precompiled)
      message(FATAL_ERROR "${target}: REUSE_FROM ${arg_REUSE_FROM}, which has no PRECOMPILE_HEADERS")
    endif()
    add_dependencies(${target} ${arg_REUSE_FROM}_precompiled)
  endif()
  _reprise_cuda_objects(objects ${target} "${arg_OPTIONS}" "${precompiled}" ${cuda_sources})
  target_sources(${target} PRIVATE ${objects})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PUBLIC Reprise::reprise)
endfunction()

function(reprise_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "REUSE_FROM" "SOURCES;OPTIONS;PRECOMPILE_HEADERS")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  set(host_sources ${sources})
  list(FILTER host_sources EXCLUDE REGEX "\\.cu$")
  add_executable(${name} ${host_sources})
  _reprise_use_cuda_sources(${name} SOURCES ${sources} OPTIONS ${arg_OPTIONS}
                            PRECOMPILE_HEADERS ${arg_PRECOMPILE_HEADERS} REUSE_FROM ${arg_REUSE_FROM})
endfunction()

function(reprise_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;MODULE;OBJECT" "REUSE_FROM" "SOURCES;OPTIONS;PRECOMPILE_HEADERS")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  # $<TARGET_OBJECTS> and linking use only those objects of an object library that CMake compiled itself.
  if(arg_OBJECT)
    message(FATAL_ERROR "reprise_add_library(${name} OBJECT): objects of .cu sources cannot be part of an object library, "
                        "since CMake leaves them out wherever it is used. Make it STATIC.")
  endif()
  set(kind)
  foreach(each STATIC SHARED MODULE)
    if(arg_${each})
      set(kind ${each})
    endif()
  endforeach()
  set(host_sources ${sources})
  list(FILTER host_sources EXCLUDE REGEX "\\.cu$")
  add_library(${name} ${kind} ${host_sources})
  get_target_property(kind ${name} TYPE)
  if(NOT kind STREQUAL STATIC_LIBRARY)
    list(APPEND arg_OPTIONS -Xcompiler -fPIC)
  endif()
  _reprise_use_cuda_sources(${name} SOURCES ${sources} OPTIONS ${arg_OPTIONS}
                            PRECOMPILE_HEADERS ${arg_PRECOMPILE_HEADERS} REUSE_FROM ${arg_REUSE_FROM})
endfunction()

cmake_policy(POP)

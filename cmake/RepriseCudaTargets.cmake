# CUDA programs and libraries built by reprise-nvcc, in a project of CXX alone.
#
#   reprise_add_executable(NAME source... [OPTIONS option...])
#   reprise_add_library(NAME [STATIC|SHARED|MODULE|OBJECT] source... [OPTIONS option...])
#
# .cu sources are compiled by reprise-nvcc, the others as usual. Include directories, definitions, CXX_STANDARD and
# POSITION_INDEPENDENT_CODE of the target hold for both, also when they are set afterwards or come from libraries;
# OPTIONS are for reprise-nvcc alone. `-rdc=true` among them lets the target's files use each other's device functions.
include_guard(GLOBAL)
# The paths in dependency files are made right for every generator.
cmake_policy(PUSH)
cmake_policy(SET CMP0116 NEW)

function(_reprise_cuda_objects result target options)
  set(includes $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>)
  set(definitions $<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>)
  set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
  # $<SEMICOLON>: one item of this list may become several arguments, but only when it is written out.
  set(flags
    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
    "$<$<BOOL:${standard}>:-std=c++${standard}>"
    "$<$<CONFIG:Debug>:-g>" "$<$<CONFIG:RelWithDebInfo>:-O2$<SEMICOLON>-g>" "$<$<CONFIG:Release>:-O3>"
    "$<$<CONFIG:MinSizeRel>:-O1>" "$<$<NOT:$<OR:$<CONFIG:>,$<CONFIG:Debug>>>:-DNDEBUG>"
    "$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-Xcompiler$<SEMICOLON>-fPIC>")
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
      COMMAND Reprise::nvcc -c ${path} -o ${object} -MD -MF ${object}.d -MT ${object} "${flags}" "${options}"
      DEPENDS ${path} ${REPRISE_COMPILER_PARTS}
      DEPFILE ${object}.d
      COMMENT "Building CUDA object ${relative}.o"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Splits `sources` by kind and gives the .cu ones' objects to the target.
function(_reprise_use_cuda_sources target options)
  set(cuda_sources ${ARGN})
  list(FILTER cuda_sources INCLUDE REGEX "\\.cu$")
  _reprise_cuda_objects(objects ${target} "${options}" ${cuda_sources})
  target_sources(${target} PRIVATE ${objects})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PUBLIC Reprise::reprise)
endfunction()

function(reprise_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPTIONS")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  set(host_sources ${sources})
  list(FILTER host_sources EXCLUDE REGEX "\\.cu$")
  add_executable(${name} ${host_sources})
  _reprise_use_cuda_sources(${name} "${arg_OPTIONS}" ${sources})
endfunction()

function(reprise_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;MODULE;OBJECT" "" "SOURCES;OPTIONS")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  set(kind)
  foreach(each STATIC SHARED MODULE OBJECT)
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
  _reprise_use_cuda_sources(${name} "${arg_OPTIONS}" ${sources})
endfunction()

cmake_policy(POP)

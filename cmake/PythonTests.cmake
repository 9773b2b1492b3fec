# reprise_python_tests(PREFIX file.py ENVIRONMENT NAME=value...): every test method of a unittest file becomes a ctest,
# named PREFIX.Class.what_it_says.
include_guard(GLOBAL)

function(reprise_python_tests prefix file)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ENVIRONMENT")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^class [A-Za-z]+\\(|^    def test_")
  foreach(line ${lines})
    if(line MATCHES "^class ([A-Za-z]+)")
      set(case ${CMAKE_MATCH_1})
    elseif(line MATCHES "def test_([a-zA-Z0-9_]+)")
      set(test ${prefix}.${case}.${CMAKE_MATCH_1})
      add_test(NAME ${test} COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${case}.test_${CMAKE_MATCH_1})
      set_tests_properties(${test} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}" TIMEOUT 900 LABELS ${prefix})
    endif()
  endforeach()
endfunction()

# Functions for tests.

find_package(GTest REQUIRED CONFIG)
find_package(rapidcheck REQUIRED CONFIG)
include(GoogleTest)

add_test(NAME tools_scripts COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/scripts_test.sh ${PROJECT_SOURCE_DIR}/tools)

# Precompiled headers for GCC: those that nearly all tests include. The target links as little as possible, because GCC
# accepts a precompiled header if additional macros are defined, but not if macros are missing.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_headers.cpp CONTENT "int main() {}\n")
  add_executable(touchstone_test_headers ${PROJECT_BINARY_DIR}/generated/test_headers.cpp)
  touchstone_options(touchstone_test_headers)
  target_compile_options(touchstone_test_headers PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(touchstone_test_headers PRIVATE rapidcheck GTest::gmock)
  target_precompile_headers(touchstone_test_headers PRIVATE
    <algorithm> <filesystem> <functional> <map> <memory> <optional> <ranges> <set> <string> <string_view> <variant>
    <vector> <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)
endif()

# touchstone_test(<name> [SLOW] SOURCES <file>... [LINK <library>...])
# Adds a GoogleTest program; each TEST is a CTest test. SLOW programs are skipped under sanitizers. Tests are compiled
# with little optimization, unlike the code that they test, because compiling them takes longer than running them.
function(touchstone_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  touchstone_options(${name})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(TARGET touchstone_test_headers)
    target_precompile_headers(${name} REUSE_FROM touchstone_test_headers)
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LINK} rapidcheck GTest::gmock GTest::gtest_main)
  set(properties)
  if(arg_SLOW)
    set(properties PROPERTIES LABELS slow)
  endif()
  gtest_discover_tests(${name} TEST_PREFIX ${name}. NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 ${properties})
endfunction()

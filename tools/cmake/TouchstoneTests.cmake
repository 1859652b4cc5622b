# Functions for tests.

find_package(GTest REQUIRED CONFIG)
find_package(rapidcheck REQUIRED CONFIG)
include(GoogleTest)
set(TOUCHSTONE_BUILD_SLOW_TESTS ON CACHE BOOL "Build the tests that take minutes")
set(TOUCHSTONE_TEST_SHARDS 0 CACHE STRING
  "Run the tests of each program in so many processes; 0: each test in its own process")

# touchstone_source_tests(<test>...)
# Labels tests of the sources and scripts, whose result does not depend on the build. One build runs them.
function(touchstone_source_tests)
  set_tests_properties(${ARGN} PROPERTIES LABELS sources)
endfunction()

add_test(NAME tools_scripts COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/scripts_test.sh ${PROJECT_SOURCE_DIR}/tools)
touchstone_source_tests(tools_scripts)

touchstone_precompiled_headers(touchstone_test_headers PROGRAM
  LINK rapidcheck GTest::gmock
  HEADERS ${touchstone_common_headers} <ranges> <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)
target_compile_options(touchstone_test_headers PRIVATE -O0)

# touchstone_test(<name> [SLOW] [COMPUTES] [SHARDS <number>] SOURCES <file>... [LINK <library>...])
# Adds a GoogleTest program; each TEST is a CTest test. With SHARDS, or TOUCHSTONE_TEST_SHARDS, so many processes run all
# of them instead, for tests that need the same long preparation. SLOW programs are not built without TOUCHSTONE_BUILD_SLOW_TESTS, unless
# another test needs them. Tests are compiled without optimization, because compiling them takes longer than running
# them; with COMPUTES, a little optimized. Each file has a namespace of its own, because a unity build compiles several
# files as one.
function(touchstone_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW;COMPUTES" "SHARDS" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  touchstone_options(${name})
  if(arg_COMPUTES)
    target_compile_options(${name} PRIVATE -O1)
  else()
    target_compile_options(${name} PRIVATE -O0)
    touchstone_use_precompiled_headers(${name} touchstone_test_headers)
  endif()
  if(CMAKE_UNITY_BUILD)
    target_compile_options(${name} PRIVATE -Wno-shadow)  # of names in the other files
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LINK} rapidcheck GTest::gmock GTest::gtest_main)
  set(properties)
  if(arg_SLOW AND NOT TOUCHSTONE_BUILD_SLOW_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  elseif(arg_SLOW)
    set(properties PROPERTIES LABELS slow)
  endif()
  if(NOT arg_SHARDS)
    set(arg_SHARDS ${TOUCHSTONE_TEST_SHARDS})
  endif()
  if(arg_SHARDS)
    foreach(shard RANGE 1 ${arg_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}.${shard}_of_${arg_SHARDS} COMMAND ${name} --gtest_brief=1)
      set_tests_properties(${name}.${shard}_of_${arg_SHARDS} PROPERTIES
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}"
        LABELS "$<$<BOOL:${arg_SLOW}>:slow>")
    endforeach()
    return()
  endif()
  gtest_discover_tests(${name} TEST_PREFIX ${name}. NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 ${properties})
endfunction()

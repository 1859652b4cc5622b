# cmake -DBUILD=<Touchstone's build> -DWORK=<scratch> -DCONFIG=<build type> [-D...] -P build.cmake
# Installs Touchstone, and builds and runs the consumer with the installed package.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${WORK})
# Passed through the environment, because CMake would split a list of paths on the command line.
string(REPLACE ";" ":" paths "${WORK}/prefix;${DEPENDENCIES}")
set(ENV{CMAKE_PREFIX_PATH} "${paths}")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# Users of the libraries need the libraries' dependencies, but not those of the tests or the program. Users of
# Touchstone::googletest need GoogleTest.
file(GLOB_RECURSE installed ${WORK}/prefix/include/*.h ${WORK}/prefix/*.cmake)
list(FILTER installed EXCLUDE REGEX "/googletest/register_cases.h$")
foreach(file IN LISTS installed)
  file(STRINGS ${file} needed REGEX "#include <(rapidcheck|gtest|gmock|benchmark|CLI)[./]|CLI11")
  if(needed)
    message(FATAL_ERROR "${file} is installed, but contains ${needed}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G Ninja -DCMAKE_BUILD_TYPE=${CONFIG}
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)

# As if a later minor version were installed: it has the kernels that the consumer asks for, but other headers of the
# suite.
file(GLOB_RECURSE config ${WORK}/prefix/*/TouchstoneConfig.cmake)
file(READ ${config} text)
string(REGEX REPLACE "(VERSION_MINOR EQUAL) [0-9]+" "\\1 999" later "${text}")
file(WRITE ${config} "${later}")
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/later -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
  RESULT_VARIABLE code ERROR_VARIABLE error OUTPUT_QUIET)
file(WRITE ${config} "${text}")
if(code EQUAL 0 OR NOT error MATCHES "request the version that you[ \n]+compile with")
  message(FATAL_ERROR "another minor version is accepted (exit code ${code}):\n${error}")
endif()

# The kernels alone need no other package.
run(${CMAKE_COMMAND} -DWORK=${WORK}/kernels -DCONFIG=${CONFIG} -DCOMPILER=${COMPILER} "-DFLAGS=${FLAGS}"
    -DPREFIX=${WORK}/prefix -P ${CMAKE_CURRENT_LIST_DIR}/../../optimized/example/test.cmake)

# A test for each case, selected and sharded by GoogleTest.
function(run_vendor_test result)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ARGN} ${WORK}/build/vendor_test COMMAND_ERROR_IS_FATAL ANY
                  OUTPUT_VARIABLE output)
  if(NOT output MATCHES "PASSED  \\] ([0-9]+) tests")
    message(FATAL_ERROR "vendor_test passed no tests:\n${output}")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
run_vendor_test(all)
run_vendor_test(values "GTEST_FILTER=dequantize_linear/10.u8_f32_f32/per_tensor/*zp/values")
run_vendor_test(first GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0)
run_vendor_test(second GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1)
math(EXPR sum "${first} + ${second}")
if(NOT values EQUAL 2 OR NOT sum EQUAL all)
  message(FATAL_ERROR "of ${all} tests, the filter selects ${values}, and the shards have ${first} and ${second}")
endif()

# The installed program and its backends: those in this process, in a library, and in Python.
set(program ${WORK}/prefix/bin/touchstone)
run(${program} version)
run(${program} run --quiet --output ${WORK}/report --overwrite --suite generated
    --filter "quantize_linear/10/f32-f32-u8/per_tensor/zp/opset/12" --backend lib:${BUILD}/conformance/libc_backend.so)
# This tests the installed worker, not the one in the source tree, whether its packages are installed or not.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=TOUCHSTONE_BACKENDS ${program} run --backend ort --python ${WORK}/none
          --output ${WORK}/report --overwrite
  RESULT_VARIABLE code ERROR_VARIABLE error)
if(NOT code EQUAL 3 OR NOT error MATCHES "/prefix/share/touchstone/backends/ort/worker" OR
   NOT error MATCHES "the backend ort has no Python: [^\n]*/none does not exist")
  message(FATAL_ERROR "the installed backend ort does not start as expected (exit code ${code}):\n${error}")
endif()
foreach(needed IN ITEMS backends/ort/requirements.txt backends/ort/ort_backend.py onnx_node_tests.txt
                        python/touchstone/worker.py)
  if(NOT EXISTS ${WORK}/prefix/share/touchstone/${needed})
    message(FATAL_ERROR "share/touchstone/${needed} is not installed")
  endif()
endforeach()

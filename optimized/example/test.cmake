# cmake -DWORK=<scratch> -DCONFIG=<build type> -DCOMPILER=<C++ compiler> -DFLAGS=<its flags> [-DPREFIX=<prefix>]
#       -P test.cmake
# Builds the example with the package that is installed in PREFIX, and compares its output. Without PREFIX, first builds
# and installs the kernels alone: at night, because that takes minutes without a compiler cache; by day, this is only
# configured. No step may find another package.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${WORK})
set(options -G Ninja -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
foreach(package IN ITEMS ONNX Protobuf fmt Boost nlohmann_json pugixml OpenSSL ZLIB CLI11 GTest rapidcheck benchmark)
  list(APPEND options -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)  # an error, because all are REQUIRED
endforeach()

if(NOT PREFIX)
  set(PREFIX ${WORK}/prefix)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/../.. -B ${WORK}/kernels ${options}
      -DTOUCHSTONE_BUILD_CONFORMANCE=OFF -DTOUCHSTONE_BUILD_TESTS=OFF)
  if("$ENV{TOUCHSTONE_NIGHTLY}" STREQUAL "")
    return()
  endif()
  run(${CMAKE_COMMAND} --build ${WORK}/kernels)
  run(${CMAKE_COMMAND} --install ${WORK}/kernels --prefix ${PREFIX})
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/example ${options} -DCMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${WORK}/example)
execute_process(COMMAND ${WORK}/example/example COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
set(expected [[
-1 -> -2 -> -1
0.5 -> 1 -> 0.5
0.25 -> 0 -> 0
10 -> 6 -> 10
30 -> 8 -> 30
2000 -> 127 -> 1220
]])
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the example printed:\n${output}")
endif()

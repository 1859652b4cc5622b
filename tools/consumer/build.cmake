# cmake -DBUILD=<Touchstone's build> -DWORK=<scratch> -DCONFIG=<build type> [-D...] -P build.cmake
# Installs Touchstone, and builds and runs the consumer against what was installed.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${WORK})
# Through the environment, where a list of paths is not torn apart on its way to the other CMake.
string(REPLACE ";" ":" paths "${WORK}/prefix;${DEPENDENCIES}")
set(ENV{CMAKE_PREFIX_PATH} "${paths}")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# A user of the libraries needs what they need, and nothing that only the tests or the program do.
file(GLOB_RECURSE installed ${WORK}/prefix/include/*.h ${WORK}/prefix/*.cmake)
foreach(file IN LISTS installed)
  file(STRINGS ${file} needed REGEX "#include <(rapidcheck|gtest|gmock|benchmark|CLI)[./]|CLI11")
  if(needed)
    message(FATAL_ERROR "${file} is installed, but has ${needed}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G Ninja -DCMAKE_BUILD_TYPE=${CONFIG}
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
run(${WORK}/prefix/bin/touchstone version)

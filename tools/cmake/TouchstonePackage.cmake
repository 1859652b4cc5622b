# The CMake package: find_package(Touchstone) gives Touchstone::spec, Touchstone::reference, Touchstone::optimized and
# Touchstone::conformance, and the layers that these link; with COMPONENTS googletest also Touchstone::googletest. With
# COMPONENTS optimized, it needs nothing but the C++ standard library.
include(CMakePackageConfigHelpers)
set(touchstone_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Touchstone)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/TouchstoneConfig.cmake.in ${PROJECT_BINARY_DIR}/TouchstoneConfig.cmake
  INSTALL_DESTINATION ${touchstone_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TouchstoneConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TouchstoneConfig.cmake ${PROJECT_BINARY_DIR}/TouchstoneConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/TouchstoneLibraryDependencies.cmake
        DESTINATION ${touchstone_package_dir})
install(EXPORT TouchstoneTargets NAMESPACE Touchstone:: DESTINATION ${touchstone_package_dir})

# Installed headers include each other below touchstone/, so that the root of the project, whose folders have common
# names, is not among the include directories of users.
install(CODE "set(includes \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")")
install(CODE [[
  file(GLOB_RECURSE headers "${includes}/touchstone/*.h")
  foreach(header IN LISTS headers)
    file(READ "${header}" old)
    string(REGEX REPLACE "(#include \")((spec|reference|optimized|conformance)/)" "\\1touchstone/\\2" new "${old}")
    if(NOT new STREQUAL old)
      file(WRITE "${header}" "${new}")
    endif()
  endforeach()
]])

# Functions for Touchstone's libraries, touchstone_library(NAME ...), and for all targets, touchstone_options(TARGET).

# Exact arithmetic: no implicit fused multiply-add, no relaxed floating point.
set(touchstone_compile_options -ffp-contract=off -fno-fast-math -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on std::string's operator+ (GCC bug 105651), and on others if <string> is precompiled.
  list(APPEND touchstone_compile_options -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects its garbage less often, which compiles in 8 to 14 % less time and takes up to 100 MB more memory.
  list(APPEND touchstone_compile_options "SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=2000000")
endif()
if(TOUCHSTONE_WARNINGS_AS_ERRORS)
  list(APPEND touchstone_compile_options -Werror)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are hashed relative to the project, so that clones share compiled objects. ccache requires this sloppiness for
  # precompiled headers; it is safe because no source uses __DATE__ or __TIME__. Without -Werror in the hash, the preset
  # 'test' shares the objects of 'release'. A new warning is still an error, unless 'release' was built first.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_IGNOREOPTIONS=-Werror ${CCACHE_PROGRAM})
endif()

# A static library can be built before the libraries that it links.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

function(touchstone_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${touchstone_compile_options})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(unity_option -Wno-subobject-linkage)  # takes an included .cpp file for a header
  else()
    set(unity_option -Wno-shadow)  # headers shadow names of the .cpp files before them
  endif()
  target_compile_options(${target} PRIVATE $<$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>:${unity_option}>)
endfunction()

# touchstone_precompiled_headers(<name> [PROGRAM] [LINK <library>...] HEADERS <header>...)
# Precompiles headers. Other targets use them with touchstone_use_precompiled_headers(<target> <name>), programs those of
# a PROGRAM. These targets must link the same libraries, because compilers accept a precompiled header if additional
# macros are defined, but not if macros are missing.
function(touchstone_precompiled_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM" "" "LINK;HEADERS")
  set(source ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  if(arg_PROGRAM)
    add_executable(${name} ${source})
  else()
    add_library(${name} OBJECT ${source})
  endif()
  touchstone_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

function(touchstone_use_precompiled_headers target name)
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# Headers that many files include.
set(touchstone_common_headers <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set>
  <span> <string> <string_view> <utility> <variant> <vector>)
if(touchstone_uses_reference)
  touchstone_precompiled_headers(touchstone_headers
    LINK fmt::fmt
    HEADERS ${touchstone_common_headers} <fmt/format.h> <fmt/ranges.h>)
  touchstone_precompiled_headers(touchstone_exact_headers
    LINK fmt::fmt Boost::headers
    HEADERS ${touchstone_common_headers} <fmt/format.h> <fmt/ranges.h> <boost/multiprecision/cpp_int.hpp>)
endif()

# touchstone_define_source_dir(<file>...)
# Defines TOUCHSTONE_SOURCE_DIR for files of this folder that read the source tree. It is not defined for others,
# because clones do not share objects in the compiler cache if the command contains a path.
function(touchstone_define_source_dir)
  if(TOUCHSTONE_STATIC)  # runs where there is no source tree
    return()
  endif()
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_DEFINITIONS "TOUCHSTONE_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
endfunction()

# touchstone_layers(<target> <PUBLIC|PRIVATE|INTERFACE> [FOLDER <folder>] [LAYERS <layer>...])
# Links touchstone_<layer> for each layer, and adds a line to layers.txt in the build directory: the target, its folder
# and its layers. The folder is below the current one, or else the current one. Its files may include headers of these
# layers and of no others, which tools/layers_test.py checks. With FOLDER GROUP, the target is a name for its layers.
file(WRITE ${PROJECT_BINARY_DIR}/layers.txt "")
function(touchstone_layers target scope)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FOLDER" "LAYERS")
  list(TRANSFORM arg_LAYERS PREPEND touchstone_)
  target_link_libraries(${target} ${scope} ${arg_LAYERS})
  set(folder GROUP)
  if(NOT arg_FOLDER STREQUAL "GROUP")
    get_filename_component(folder "${arg_FOLDER}" ABSOLUTE)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
  endif()
  list(JOIN arg_LAYERS " " layers)
  file(APPEND ${PROJECT_BINARY_DIR}/layers.txt "${target} ${folder} ${layers}\n")
endfunction()

# touchstone_library(<name> [FOLDER <folder>] [PRECOMPILED <name>] SOURCES <file>... [LAYERS <layer>...]
#                    [LINK <library>...])
# The library Touchstone::<name> of a folder below the current one, or else of the current one, on top of some layers of
# Touchstone and of other libraries. It is installed with its headers, except those of tests and benchmarks. Includes
# start at the root of the project ("spec/element_type.h"), but at "touchstone/" in installed headers, which users
# include as <touchstone/spec/element_type.h>: see TouchstonePackage.cmake.
function(touchstone_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;PRECOMPILED" "SOURCES;LAYERS;LINK")
  set(target touchstone_${name})
  get_filename_component(folder "${arg_FOLDER}" ABSOLUTE)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    touchstone_options(${target})
    if(arg_PRECOMPILED)
      touchstone_use_precompiled_headers(${target} ${arg_PRECOMPILED})
    endif()
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(Touchstone::${name} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  touchstone_layers(${target} ${scope} FOLDER ${folder} LAYERS ${arg_LAYERS})
  target_link_libraries(${target} ${scope} ${arg_LINK})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT TouchstoneTargets)
  file(RELATIVE_PATH below_project ${PROJECT_SOURCE_DIR} ${folder})
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/touchstone/${below_project}
          FILES_MATCHING PATTERN "*.h"
          # Kernels are called only through the library:
          PATTERN "avx2" EXCLUDE PATTERN "portable" EXCLUDE
          # Only for benchmarks and tests:
          PATTERN "benchmark" EXCLUDE
          PATTERN "*testing.h" EXCLUDE)
endfunction()

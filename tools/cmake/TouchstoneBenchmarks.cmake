# Builds benchmarks.

find_package(benchmark REQUIRED CONFIG)

# touchstone_benchmark(<name> SOURCES <file>... [LINK <library>...])
# Adds a Google Benchmark program; its sources may define main().
function(touchstone_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  touchstone_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} benchmark::benchmark_main)
endfunction()

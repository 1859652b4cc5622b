# What Touchstone links: its libraries, and its program beside.
include(TouchstoneLibraryDependencies)
find_package(CLI11 2.1 REQUIRED CONFIG)

# cmake --install and find_package(spillway).

include(CMakePackageConfigHelpers)

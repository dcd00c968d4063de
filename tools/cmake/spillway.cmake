# What every target of the project has in common.

include(GNUInstallDirs)

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

add_library(spillway_options INTERFACE)
target_compile_features(spillway_options INTERFACE cxx_std_20)
# No contraction to fused multiply-add: results are the same bits with every compiler.
target_compile_options(spillway_options INTERFACE -ffp-contract=off)
set_target_properties(spillway_options PROPERTIES EXPORT_NAME options)

# -Wrestrict of g++ 12 sees an overlap in every "text" + string (GCC bug 105651); clang sees std::stable_sort of
# libstdc++ 12 call what that library calls deprecated.
set(gcc12 $<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>)
add_library(spillway_warnings INTERFACE)
target_compile_options(spillway_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                       -Wold-style-cast -Wnon-virtual-dtor $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers> $<${gcc12}:-Wno-restrict>
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers>
                       $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(SPILLWAY_SANITIZE)
  # g++ loses track of what is initialised among the sanitizers' checks.
  target_compile_options(spillway_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(spillway_options INTERFACE -fsanitize=${SPILLWAY_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(spillway_options INTERFACE -fsanitize=${SPILLWAY_SANITIZE})
endif()

# spillway_library(NAME SOURCES ... HEADERS ... DEPENDS ... [PRIVATE_DEPENDS ...])
# A room: a static library whose public headers are included as "room/file.hpp" and must each stand alone.
function(spillway_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(spillway::${name} ALIAS ${name})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  target_link_libraries(${name} PUBLIC spillway_options ${ARG_DEPENDS}
                        PRIVATE ${ARG_PRIVATE_DEPENDS} $<BUILD_INTERFACE:spillway_warnings>)
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY SPILLWAY_LIBRARIES ${name})
endfunction()

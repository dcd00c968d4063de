# cmake --install: the command, the libraries with their headers, the scenario library, and what find_package(spillway)
# needs.

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spillway)
set(command_file ${CMAKE_INSTALL_BINDIR}/spillway)
set(data_dir ${CMAKE_INSTALL_DATADIR}/spillway)

get_property(libraries GLOBAL PROPERTY SPILLWAY_LIBRARIES)
# What only our sources include, and what is headers only, does not concern who links with a room.
foreach(library IN LISTS libraries)
  get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
  if(NOT links)
    continue()
  endif()
  list(FILTER links EXCLUDE REGEX
       "LINK_ONLY:(Boost::(boost|headers)|Eigen3::Eigen|nlohmann_json::nlohmann_json|\\$<BUILD_INTERFACE:.*>)>")
  set_target_properties(${library} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
endforeach()

install(TARGETS spillway RUNTIME)
install(TARGETS ${libraries} spillway_options EXPORT spillwayTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/spillway
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spillway)
install(EXPORT spillwayTargets NAMESPACE spillway:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/spillwayConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/spillwayConfig.cmake INSTALL_DESTINATION ${package_dir}
                              PATH_VARS data_dir command_file)
# Before 1.0 a new minor version may change an interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spillwayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spillwayConfig.cmake ${PROJECT_BINARY_DIR}/spillwayConfigVersion.cmake
        ${CMAKE_CURRENT_LIST_DIR}/spillwayPolicy.cmake DESTINATION ${package_dir})

install(DIRECTORY scenarios/ DESTINATION ${data_dir}/scenarios FILES_MATCHING PATTERN *.toml PATTERN *.xml)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

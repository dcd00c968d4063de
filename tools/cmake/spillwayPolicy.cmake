# spillway_add_policy(NAME SOURCES...): a plug-in NAME.so from sources in C++ or C, and a test that holds its policies
# to the conformance suite.

function(spillway_add_policy name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE spillway::plugin)
  set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
  add_test(NAME ${name}_is_a_policy COMMAND ${SPILLWAY_COMMAND} policy check $<TARGET_FILE:${name}>)
endfunction()

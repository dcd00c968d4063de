# What `spillway policy new` writes, as its reader would use it.

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${PROJECT})
step(${COMMAND} policy new my-rule --dir ${PROJECT})
step(${CMAKE_COMMAND} -G Ninja -S ${PROJECT} -B ${PROJECT}/build -D CMAKE_PREFIX_PATH=${PREFIX})
step(${CMAKE_COMMAND} --build ${PROJECT}/build)
step(${CMAKE_CTEST_COMMAND} --test-dir ${PROJECT}/build --output-on-failure)
step(${COMMAND} run ${SCENARIO} --replications 1 --set run.runtime=20ms --set policies.my-rule.tries=4
     --policy local-only,${PROJECT}/build/my_rule.so)

# A second time nothing is overwritten.
execute_process(COMMAND ${COMMAND} policy new my-rule --dir ${PROJECT} RESULT_VARIABLE code ERROR_VARIABLE error)
if(NOT code EQUAL 2 OR NOT error MATCHES "is there already; nothing is overwritten")
  message(FATAL_ERROR "policy new, again: ${code} ${error}")
endif()

# The findings on the bad tree are those in expected.txt, and the lint fails.
execute_process(COMMAND ${PYTHON} ${LAYERS} ${HERE}/bad OUTPUT_VARIABLE found RESULT_VARIABLE result)
file(READ ${HERE}/expected.txt expected)
if(NOT found STREQUAL expected OR NOT result EQUAL 1)
  message(FATAL_ERROR "exit code ${result}, expected 1; found\n${found}\nexpected\n${expected}")
endif()

# Tests that read reports with the programs that people use. Debian's Python has their packages; the virtual environment
# does not.
find_program(TOUCHSTONE_PYTHON NAMES python3 HINTS /usr/bin REQUIRED)

add_executable(sample_reports report/sample_reports_testing.cpp report/samples_testing.cpp)
touchstone_options(sample_reports)
target_link_libraries(sample_reports PRIVATE Touchstone::conformance)

set(samples ${CMAKE_CURRENT_BINARY_DIR}/sample_reports.d)
add_test(NAME sample_reports COMMAND sample_reports ${samples} ${CMAKE_CURRENT_SOURCE_DIR}/report/comparison_sample.json)
set_tests_properties(sample_reports PROPERTIES FIXTURES_SETUP sample_reports)

# touchstone_reader_test(<name> <script> <argument>...)
function(touchstone_reader_test name script)
  add_test(NAME ${name} COMMAND ${TOUCHSTONE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/report/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED sample_reports)
endfunction()

touchstone_reader_test(report_json_is_as_its_schema_has_it schema_test.py
  ${CMAKE_CURRENT_SOURCE_DIR}/report/report.schema.json ${samples}/hostile/report.json
  ${samples}/hostile/summary.json)
touchstone_reader_test(compact_result_is_as_its_schema_has_it schema_test.py
  ${CMAKE_CURRENT_SOURCE_DIR}/report/result.schema.json ${samples}/hostile/result.json ${samples}/large/result.json)
touchstone_reader_test(report_junit_is_read_by_junitparser junit_test.py
  ${samples}/hostile/report.junit.xml ${samples}/large/report.junit.xml)
touchstone_reader_test(report_html_is_clicked_through html_test.py ${samples})
touchstone_reader_test(report_html_is_linked_and_drawn html_pictures_test.py ${samples})
touchstone_reader_test(comparison_is_clicked_through comparison_page_test.py ${samples})
set_tests_properties(report_html_is_clicked_through report_html_is_linked_and_drawn comparison_is_clicked_through PROPERTIES LABELS slow)

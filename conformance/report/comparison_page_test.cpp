// See also comparison_page_test.py, which uses a browser.
#include "conformance/report/comparison_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace touchstone::conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string::size_type occurrences(const std::string& text, const std::string& part) {
  std::string::size_type found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(ComparisonPage, HasTheResultsAsTheyAre) {
  const std::string page = comparison_page({.results = R"([{"touchstone_result":1}])"});
  EXPECT_THAT(page, HasSubstr(R"("results":[{"touchstone_result":1}]}</script>)"));
  EXPECT_THAT(page, HasSubstr(R"(id="data">{"versions":[10,13,19,21,23,24,25,28],"newest_opset":28,)"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(ComparisonPage, NoTextOfAResultEndsItsElement) {
  const std::string empty = comparison_page({});
  const std::string page = comparison_page({.results = R"(["</script><script>alert(1)</script><!--"])"});
  EXPECT_EQ(occurrences(page, "<script"), occurrences(empty, "<script"));
  EXPECT_EQ(occurrences(page, "</script"), occurrences(empty, "</script"));
  EXPECT_EQ(occurrences(page, "<!--"), occurrences(empty, "<!--"));
  EXPECT_THAT(page, HasSubstr(R"(["\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"])"));
}

TEST(ComparisonPage, LoadsNothing) {
  const std::string page = comparison_page({});
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  for (const char* part : {" src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest"})
    EXPECT_THAT(page, Not(HasSubstr(part)));
}

}  // namespace
}  // namespace touchstone::conformance

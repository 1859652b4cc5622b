#include "tools/touchstone/shell_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdio.h>

#include <stdexcept>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::shell_words_test {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, FollowPosix) {
  struct Row {
    const char* command;
    Words words;
  };
  const Row rows[]{
      {"", {}},
      {" \t\n ", {}},
      {"a", {"a"}},
      {"  my-worker\t--device\n0 ", {"my-worker", "--device", "0"}},
      // 2.2.1: a backslash quotes the next character; before a line feed, both are removed.
      {R"(a\ b \'c\" \\ \n \$)", {"a b", "'c\"", "\\", "n", "$"}},
      {"a\\\nb \\\n c", {"ab", "c"}},
      // 2.2.2: all characters between single quotes are literal.
      {R"('a b' '\n' '"$HOME"' '\')", {"a b", "\\n", "\"$HOME\"", "\\"}},
      {"'a\nb'", {"a\nb"}},
      {R"('it'\''s')", {"it's"}},
      // 2.2.3: between double quotes a backslash quotes five characters.
      {R"("a b" "\$ \` \" \\" "\n \' \a" "it's")", {"a b", "$ ` \" \\", "\\n \\' \\a", "it's"}},
      {"\"a\\\nb\nc\"", {"ab\nc"}},
      // Empty quotes are an empty word, or add nothing to a word.
      {R"('' "" a''b ""'')", {"", "", "ab", ""}},
      {R"(--name='a b'" c"\ d)", {"--name=a b c d"}},
      // 2.3: a comment can begin where a word can.
      {"a # b 'c\nd", {"a", "d"}},
      {"a#b '#'c \\#d", {"a#b", "#c", "#d"}},
      // A shell would interpret these.
      {"$HOME * ~ a;b | `c` $(d) {e,f} >g", {"$HOME", "*", "~", "a;b", "|", "`c`", "$(d)", "{e,f}", ">g"}},
      {"\xC3\xA4 '\xFF'", {"\xC3\xA4", "\xFF"}},
  };
  for (const Row& row : rows) EXPECT_EQ(shell_words(row.command), row.words) << row.command;
}

std::string problem(std::string_view command) {
  try {
    shell_words(command);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ShellWords, RequireClosedQuotes) {
  EXPECT_EQ(problem("a 'b"), "a single quote is not closed");
  EXPECT_EQ(problem(R"(a 'b\')") + problem("'\\'"), "");
  EXPECT_EQ(problem("a \"b'"), "a double quote is not closed");
  EXPECT_EQ(problem(R"("\")"), "a double quote is not closed");
  EXPECT_EQ(problem(R"("a\)"), "a double quote is not closed");
  EXPECT_EQ(problem("a\\"), "it ends in a backslash that quotes nothing");
  EXPECT_EQ(problem(std::string_view("a\0b", 3)), "it has a zero byte");
}

/// The words according to the system's shell, each followed by a zero byte.
std::string words_of_shell(const std::string& command) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "script", "printf '%s\\0' x " + command + "\n");
  FILE* shell = ::popen(("sh '" + (scratch.path() / "script").string() + "' 2>&1").c_str(), "r");
  std::string said;
  for (int next = ::getc(shell); next != EOF; next = ::getc(shell)) said += static_cast<char>(next);
  ::pclose(shell);
  return said;
}

/// Tries the characters that quote and separate, except those with another effect in a shell: an unquoted line feed
/// would end the command.
RC_GTEST_PROP(ShellWords, AgreeWithTheShell, ()) {
  const auto command = *rc::gen::container<std::string>(rc::gen::element('a', 'n', '\'', '"', '\\', ' ', '\t', '#'));
  std::string expected;
  RC_PRE(problem(command).empty());
  for (const std::string& word : shell_words("x " + command)) expected += word + '\0';
  RC_ASSERT(words_of_shell(command) == expected);
}

}  // namespace
}  // namespace touchstone::tools::shell_words_test

// Puts hostile texts from models, backends and files into every place of a run that can contain them. They must not
// change the structure of a report in any format.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <pugixml.hpp>
#include <regex>
#include <span>
#include <sstream>

#include "conformance/files/characters.h"
#include "conformance/report/details.h"
#include "conformance/report/format.h"
#include "conformance/report/matrix.h"
#include "conformance/report/readings_text.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/samples_testing.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance::hostile_texts_test {
namespace {

constexpr std::string_view harmless = "word";

constexpr std::array texts{
    std::string_view("<script>alert(1)</script>"),
    std::string_view("</script><script>alert(1)//"),
    std::string_view("<!--<script>"),
    std::string_view("]]><evil/><![CDATA["),
    std::string_view("\"><img src=x onerror='alert(1)'>"),
    std::string_view("&lt;b&gt; &#x3c;b&#x3e; &"),
    std::string_view("{{data}} {{style}}"),
    std::string_view("``` `code` | cell \\| cell \\"),
    std::string_view("[a](javascript:alert(1)) ![b](//c/d) <https://e>"),
    std::string_view("***"),
    std::string_view("# heading"),
    std::string_view("- item"),
    std::string_view("+ item"),
    std::string_view("  1. item"),
    std::string_view("==="),
    std::string_view("---"),
    std::string_view(":-"),
    std::string_view("$x$ ~~y~~ https://example.org www.example.org"),
    std::string_view("one\n\n# two\r\n\r| a |\n|---|\n<b>"),
    std::string_view("end\n"),
    std::string_view("\x1b[2J\x1b]0;title\x07 \x08\x7f\xc2\x9b"),
    std::string_view("nul \0 nul", 9),
    std::string_view("\xff\xfe \xc3 \xed\xa0\x80 \xf4\x90\x80\x80"),
    std::string_view("\xe2\x80\xae"
                     "desrever\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xd8\x9c\xe2\x80\xa8\xf3\xa0\x81\x81"),
    std::string_view("\xef\xbf\xbe\xef\xbf\xbf"),
    std::string_view("\xe3\x85\xa4\xe1\x85\x9f\xe1\x85\xa0\xef\xbe\xa0\xe2\xa0\x80\xcd\x8f\xef\xb8\x80\xef\xb8\x8f\xf3"
                     "\xa0\x84\x80\xf3\xa0\x87\xaf"),
    std::string_view("::error::hi"),
    std::string_view("=1+cmd|' /C calc'!A0"),
    std::string_view("+1"),
    std::string_view("-1"),
    std::string_view("@SUM(1)"),
    std::string_view("@octocat (@group/subgroup), \\@octocat"),
    std::string_view("\t=1"),
    std::string_view(" \r\n=1"),
    std::string_view("\xef\xbc\x9d"
                     "1"),
    std::string_view("\",\"\r\n=1,\""),
    std::string_view("'; $(reboot) `reboot` \\"),
};

struct Place {
  const char* name;
  std::function<void(SampleRun&, const std::string&)> put;
};

CaseRecord& failure(SampleRun& sample) { return sample.records.at(0); }
CaseRecord& crash(SampleRun& sample) { return sample.records.at(1); }
KnownFailure& expectation(SampleRun& sample) { return sample.expectations.at(0); }

const std::vector<Place>& places() {
  static const std::vector<Place> rows{
      {"version of the program", [](SampleRun& s, const std::string& t) { s.run.tool_version = t; }},
      {"name of the backend", [](SampleRun& s, const std::string& t) { s.run.backend.name = t; }},
      {"version of the backend", [](SampleRun& s, const std::string& t) { s.run.backend.version = t; }},
      {"description of the backend", [](SampleRun& s, const std::string& t) { s.run.backend.description = t; }},
      {"domain that it declares",
       [](SampleRun& s, const std::string& t) {
         s.run.declared.opsets = {{t, 1, 2}};
       }},
      {"domain that is assumed",
       [](SampleRun& s, const std::string& t) {
         s.run.assumed.opsets = {{t, 1, 2}};
       }},
      {"suite", [](SampleRun& s, const std::string& t) { s.run.suites = {t}; }},
      {"tier", [](SampleRun& s, const std::string& t) { s.run.tier = t; }},
      {"filter", [](SampleRun& s, const std::string& t) { s.run.filter = t; }},
      {"requirement", [](SampleRun& s, const std::string& t) { s.run.require = "nothing/" + t; }},
      {"plan hash", [](SampleRun& s, const std::string& t) { s.run.plan_hash = t; }},
      {"host", [](SampleRun& s, const std::string& t) { s.run.host = t; }},
      {"backend option", [](SampleRun& s, const std::string& t) { s.run.backend_option = t; }},
      {"data", [](SampleRun& s, const std::string& t) { s.run.data = t; }},
      {"interpreter", [](SampleRun& s, const std::string& t) { s.run.worker.python = t; }},
      {"environment variable", [](SampleRun& s, const std::string& t) { s.run.worker.passed_variables = {t}; }},
      {"id of a case", [](SampleRun& s, const std::string& t) { failure(s).id = "onnx/" + t; }},
      {"id that begins with the text", [](SampleRun& s, const std::string& t) { crash(s).id = t; }},
      {"reason", [](SampleRun& s, const std::string& t) { failure(s).reason = t; }},
      {"reason of a crash", [](SampleRun& s, const std::string& t) { crash(s).reason = t; }},
      {"form", [](SampleRun& s, const std::string& t) { failure(s).form = t; }},
      {"other outcome", [](SampleRun& s, const std::string& t) { failure(s).flaky = t; }},
      {"what the backend printed", [](SampleRun& s, const std::string& t) { crash(s).output = t; }},
      {"pattern of an expectation",
       [](SampleRun& s, const std::string& t) { expectation(s).pattern = "nothing/" + t; }},
      {"reason of an expectation", [](SampleRun& s, const std::string& t) { expectation(s).reason = t; }},
      {"issue of an expectation", [](SampleRun& s, const std::string& t) { expectation(s).issue = t; }},
      {"cause of an expectation", [](SampleRun& s, const std::string& t) { expectation(s).cause = t; }},
      {"rule of an expectation",
       [](SampleRun& s, const std::string& t) { expectation(s).cause = "c", expectation(s).where = t; }},
      {"message of an expectation",
       [](SampleRun& s, const std::string& t) { expectation(s).cause = "c", expectation(s).message = t; }},
      {"why it was stopped", [](SampleRun& s, const std::string& t) { ++s.run.cases, s.stopped = t; }},
      {"form of inconsistent cases",
       [](SampleRun& s, const std::string& t) { s.inconsistencies.at(0).group.form = t; }},
      {"id of an inconsistent case",
       [](SampleRun& s, const std::string& t) { s.inconsistencies.at(0).evidence[1].id = t; }},
      {"form that decides on a reading",
       [](SampleRun& s, const std::string& t) { s.fingerprint.back().parts.at(0).values.at(1) = t; }},
      {"id of a case that shows a reading",
       [](SampleRun& s, const std::string& t) { s.fingerprint.back().parts.at(0).id = t; }},
      {"reason of one that was met", [](SampleRun& s, const std::string& t) { s.expectations.at(1).reason = t; }},
  };
  return rows;
}

/// A failure, a crash, an expected failure, and a stale expectation.
SampleRun harmless_run() {
  SampleRun sample = failing_run(3);
  for (std::size_t i = 0; i < sample.records.size(); ++i) sample.records[i].id = fmt::format("onnx/{}", i);
  crash(sample).verdict = Verdict::crash;
  crash(sample).output = std::string(harmless);
  failure(sample).flaky = std::string(harmless);
  sample.expectations = {{"nothing", Verdict::fail, std::string(harmless), std::string(harmless)},
                         {"onnx/2", Verdict::fail, std::string(harmless), std::string(harmless)}};
  const std::string word(harmless);
  sample.inconsistencies = {inconsistency(sample.records[0].cells.front(), word, word, word)};
  sample.fingerprint = fingerprint(word, word, word);
  return sample;
}

SampleRun run_with(std::span<const Place> places, std::string_view text) {
  static const SampleRun base = harmless_run();
  SampleRun sample = base;
  for (const Place& place : places) place.put(sample, std::string(text));
  return sample;
}

std::string render(const ReportFormat& format, const SampleRun& sample) {
  std::string text;
  format.render(sample.run, sample.summary(), sample.records, [&](std::string_view part) { text += part; });
  return text;
}

/// The first invisible or invalid character.
std::string hidden_in(std::string_view text, std::string_view permitted) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_permitted = length == 1 && permitted.find(character) != std::string_view::npos;
    if (length == 0 || (is_hidden(character) && !is_permitted)) return ::testing::PrintToString(std::string(character));
    text.remove_prefix(length);
  }
  return "";
}

// ---- the structure of a document in each format, without its texts

std::string outline(const Json& json) {
  if (json.is_array()) {
    std::string text = "[";
    for (const Json& member : json) text += outline(member) + ",";
    return text + "]";
  }
  if (!json.is_object()) return json.type_name();
  std::string text = "{";
  for (const auto& [name, member] : json.items()) text += name + ":" + outline(member) + ",";
  return text + "}";
}

std::string outline_of_json(const std::string& text) { return outline(Json::parse(text)); }

/// The structure that a browser sees before any script runs: the tags, and the types of the data.
std::string outline_of_html(const std::string& text) {
  constexpr std::string_view begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t data = text.find(begin) + begin.size();
  const std::size_t end = text.find('<', data);
  return fmt::format("{} {} {}", text.substr(0, data),
                     Json::parse(text.substr(data, end - data), nullptr, /*allow_exceptions=*/false).type_name(),
                     text.substr(end));
}

std::string outline(const pugi::xml_node& node) {
  std::string text = node.name();
  for (const pugi::xml_attribute& attribute : node.attributes()) text += fmt::format(" {}", attribute.name());
  for (const pugi::xml_node& child : node.children()) text += fmt::format("({})", outline(child));
  return text;
}

std::string outline_of_xml(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(text.c_str());
  EXPECT_TRUE(result) << result.description();
  return outline(document);
}

/// The length of an escape at the beginning of the text, which has no meaning in Markdown; 0 if there is none.
std::size_t length_of_escape(std::string_view text) {
  if (text.starts_with('\\')) return 2;
  for (const std::string_view escape : {"@&#8203;", "&lt;", "&gt;", "&amp;"})
    if (text.starts_with(escape)) return escape.starts_with('@') ? escape.size() : 1;
  return 0;
}

/// What starts a block at the beginning of a line.
std::string start_of_block(std::string_view text) {
  if (std::string_view("-+=:").find(text.front()) != std::string_view::npos) return {text.front()};
  const std::size_t end = text.find_first_not_of("0123456789");
  return end != 0 && end != std::string_view::npos && text[end] == '.' ? "1." : "";
}

/// The line feeds and the unescaped characters that have a meaning in CommonMark or on GitHub. Characters that start a
/// block count only at the beginning of a line. A site finds mentions in its own way: a backslash before "@" does not
/// prevent them, a zero-width space after it does, and in code there are none.
std::string outline_of_markdown(const std::string& text) {
  constexpr std::string_view active = "`*_{}[]()#|~!$<>&\n";
  std::string outline;
  bool at_begin = true;
  bool in_code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("<code>") || rest.starts_with("</code>")) in_code = rest[1] == 'c';
    const std::size_t escape = length_of_escape(rest);
    if (!in_code && !rest.starts_with("@&#8203;") && rest.substr(character == '\\' ? 1 : 0).starts_with('@'))
      outline += '@';
    if (escape > 0) {
      i += escape - 1;
      at_begin = false;
      continue;
    }
    if (active.find(character) != std::string_view::npos) outline += character;
    for (const char* begin_of_link : {"://", "www."})
      if (rest.starts_with(begin_of_link)) outline += begin_of_link;
    if (at_begin) outline += start_of_block(rest);
    at_begin = character == '\n' || (at_begin && character == ' ');
  }
  return outline;
}

/// The number of fields of each line (RFC 4180), and which of them a spreadsheet would treat as a formula.
std::string outline_of_csv(const std::string& text) {
  std::string outline;
  bool in_quotes = false;
  std::string field;
  const auto end_field = [&] {
    const std::size_t begin = field.find_first_not_of(" \t\r\n");
    if (begin != std::string::npos)
      for (const char* sign : {"=", "+", "-", "@", "\xef\xbc\x9d"})
        if (std::string_view(field).substr(begin).starts_with(sign)) outline += "a formula!";
    outline += ',';
    field.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (character == '"' && in_quotes && text[i + 1] == '"')
      field += text[++i];
    else if (character == '"')
      in_quotes = !in_quotes;
    else if (character == ',' && !in_quotes)
      end_field();
    else if (character == '\r' && !in_quotes)
      continue;
    else if (character == '\n' && !in_quotes) {
      end_field();
      outline += '\n';
    } else
      field += character;
  }
  return outline + (in_quotes ? "an open quotation mark!" : "");
}

struct Form {
  std::string name;
  std::function<std::string(const SampleRun&)> render;
  std::function<std::string(const std::string&)> outline;
  std::string_view controls = "\n";  ///< control characters of the format itself
};

Form form_of(std::string_view name, std::function<std::string(const std::string&)> outline,
             std::string_view controls = "\n") {
  const ReportFormat* format = find_report_format(name);
  return {std::string(name), [=](const SampleRun& sample) { return render(*format, sample); }, std::move(outline),
          controls};
}

/// The output of touchstone run. Texts of a backend can have several lines, which are indented.
std::string terminal_text(const SampleRun& sample) {
  const Summary summary = sample.summary();
  std::string text = render_matrix(sample.run, summary, Color::never) + render_forms(summary, Color::never) +
                     render_fingerprint(summary) + render_fingerprint(sample.fingerprint) +
                     render_totals(sample.run, summary, Color::never);
  for (const CaseRecord& record : sample.records)
    text += fmt::format("{}    {}\n\n", render_problem(record, Color::never), replay_line(sample.run, record.id));
  return text;
}

/// Long texts of a backend are indented by four, so that they are not mistaken for the program's own messages. No
/// untrusted text begins a line, because a CI runner might interpret it.
std::string outline_of_terminal(const std::string& text) {
  std::size_t lines = 0;
  std::size_t commands = 0;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) {
    lines += !line.starts_with("    ");
    commands += line.starts_with("::");
  }
  return fmt::format("{} lines that are not indented, {} commands", lines, commands);
}

/// Each line is one command of GitHub with one property.
std::string outline_of_commands(const std::string& text) {
  const std::regex command("::error title=[^:,]*::[^\n]*");
  std::size_t commands = 0;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line); ++commands)
    if (!std::regex_match(line, command)) return "another line: " + line;
  return fmt::format("{} commands", commands);
}

const std::vector<Form>& forms() {
  static const std::vector<Form> rows{
      form_of("html", outline_of_html),         form_of("json", outline_of_json),
      form_of("summary", outline_of_json),      form_of("compact", outline_of_json),
      form_of("junit", outline_of_xml, "\n\t"), form_of("markdown", outline_of_markdown),
      form_of("csv", outline_of_csv, "\n\r\t"), {"terminal", terminal_text, outline_of_terminal, "\n\t"},
      form_of("github", outline_of_commands),   form_of("gitlab", outline_of_json),
  };
  return rows;
}

class HostileTexts : public testing::TestWithParam<Form> {};

/// The outline of the document that has a harmless text in these places.
std::string outline_with(const Form& form, std::span<const Place> places) {
  return form.outline(form.render(run_with(places, harmless)));
}

/// What is wrong with the document that has the text in these places; empty if nothing is.
std::string fault(const Form& form, std::span<const Place> places, std::string_view text, const std::string& wanted) {
  const std::string rendered = form.render(run_with(places, text));
  if (const std::string hidden = hidden_in(rendered, form.controls); !hidden.empty()) return "has " + hidden;
  const std::string outline = form.outline(rendered);
  return outline == wanted ? "" : fmt::format("is another document:\n{}\nand not\n{}", outline, wanted);
}

TEST_P(HostileTexts, DoNotChangeTheStructureOfAReport) {
  const Form& form = GetParam();
  const std::string wanted = outline_with(form, places());
  for (const std::string_view text : texts) {
    const std::string found = fault(form, places(), text, wanted);
    EXPECT_EQ(found, "") << "everything = " << testing::PrintToString(text);
    if (found.empty()) continue;
    for (const Place& place : places())
      EXPECT_EQ(fault(form, {&place, 1}, text, outline_with(form, {&place, 1})), "")
          << place.name << " = " << testing::PrintToString(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Reports, HostileTexts, testing::ValuesIn(forms()),
                         [](const auto& form) { return form.param.name; });

TEST(HostileTextsTest, HasAllFormats) {
  for (const ReportFormat& format : report_formats())
    EXPECT_TRUE(std::ranges::any_of(forms(), [&](const Form& form) { return form.name == format.name; }))
        << format.name;
}

}  // namespace
}  // namespace touchstone::conformance::hostile_texts_test

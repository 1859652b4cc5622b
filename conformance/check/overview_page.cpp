#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/check/html_text.h"
#include "conformance/check/model_drawing.h"
#include "conformance/check/overview.h"
#include "conformance/files/text.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t longest_html = 900;
constexpr std::size_t most_nodes_in_remark = 3;
/// More rows than these are shown on demand, if they are not remarkable.
constexpr std::size_t most_other_rows = 40;

constexpr std::string_view style = R"(
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em; max-width: 80em; color: #222; background: #fff; }
svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: #222; }
svg text.small { font-size: 10px; fill: #666; } a:target, tr:target { outline: 2px solid #1565c0; }
table { border-collapse: collapse; margin: .5em 0; }
td, th { padding: .15em .8em; text-align: left; border-bottom: 1px solid #e0e0e0; vertical-align: top; }
.right { fill: #2e7d32; color: #2e7d32; } .wrong { fill: #c62828; color: #c62828; }
.refused { fill: #ef6c00; color: #b35300; } .undecided { fill: #9e9e9e; color: #616161; }
.none { fill: #fff; stroke: #bdbdbd; }
td.right { background: #e8f5e9; } td.wrong { background: #ffebee; }
td.refused { background: #fff3e0; } td.undecided { background: #f0f0f0; }
.box { stroke-width: 1.5; } .box.right { fill: #e8f5e9; stroke: #2e7d32; } .box.wrong { fill: #ffcdd2; stroke: #c62828; }
.box.refused { fill: #ffe0b2; stroke: #ef6c00; } .box.undecided { fill: #eee; stroke: #757575; }
.box.none { fill: #fff; stroke: #bdbdbd; stroke-dasharray: 4 3; }
.edge { fill: none; stroke: #90a4ae; stroke-width: 1.5; } .repeat { stroke: #5c6bc0; stroke-width: 3; }
)";

std::string item(const std::string& text) { return fmt::format("<li>{}</li>\n", in_html(text)); }

std::string link(const std::string& target, std::string_view text) {
  return fmt::format(R"(<a href="{}">{}</a>)", in_html(target), text);
}

/// What each backend gives, and how often, and why.
std::string backends_section(const Overview& overview) {
  std::string html = "<table>\n<tr><th>backend</th><th>version</th><th>parts</th><th>nodes</th><th></th></tr>\n";
  for (const CheckedBackend& backend : overview.backends)
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}{}</td><td>{}</td><td>{}</td></tr>\n", in_html(backend.name),
                    in_html(backend.version),
                    backend.unfinished.empty() ? "" : fmt::format("<b>{}</b>. ", in_html(backend.unfinished)),
                    in_words(overview.count_parts(backend), "part"), in_words(overview.count_nodes(backend), "node"),
                    link(backend.report + "/report.html", "report"));
  html += "</table>\n";
  for (const CheckedBackend& backend : overview.backends) {
    if (backend.causes.empty() && backend.readings.empty() && backend.fixes.empty()) continue;
    html += fmt::format("<p>{}</p>\n<ul>\n", in_html(backend.name));
    for (const std::string& cause : backend.causes) html += item(cause);
    for (const std::string& reading : backend.readings) html += item("* " + reading);
    for (const std::string& fix : backend.fixes) html += fmt::format("<li><b>Fix:</b> {}</li>\n", in_html(fix));
    html += "</ul>\n";
  }
  return html;
}

std::string field_of(const PartResult& result) {
  std::string text(result.words());
  if (result.tone() != Tone::right && !result.reason.empty()) text += ": " + in_html(result.reason);
  if (!result.reproducer.empty()) text += " " + link(result.reproducer, "reproducer");
  return fmt::format(R"(<td class="{}">{}</td>)", style_class(result), text);
}

/// Whether a part is not right. What is undecided in a window is decided in its units.
bool is_remarkable(const Overview& overview, std::size_t number) {
  const bool is_window = overview.parts.kind_of(number) == "window";
  return std::ranges::any_of(overview.backends, [&](const CheckedBackend& backend) {
    const Tone tone = backend.results[number].tone();
    return tone != Tone::right && (tone != Tone::undecided || !is_window);
  });
}

std::string rows_of(const Overview& overview, const std::vector<std::size_t>& numbers) {
  std::string html = "<table>\n<tr><th>part</th>";
  for (const CheckedBackend& backend : overview.backends) html += fmt::format("<th>{}</th>", in_html(backend.name));
  html += "</tr>\n";
  for (const std::size_t number : numbers) {
    html += fmt::format(R"(<tr id="part-{0}"><td title="{1}">{2} {3} {4}</td>)", number,
                        in_html(overview.parts.id_of(number)), overview.parts.kind_of(number),
                        overview.parts.part(number).first, in_html(overview.label_of(number)));
    for (const CheckedBackend& backend : overview.backends) html += field_of(backend.results[number]);
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

/// What is remarkable first; then units, nodes and windows.
std::string parts_section(const Overview& overview) {
  std::vector<std::size_t> shown, others;
  for (const std::string_view kind : {"unit", "node", "window"})
    for (std::size_t number = 0; number < overview.parts.size(); ++number)
      if (overview.parts.kind_of(number) == kind) (is_remarkable(overview, number) ? shown : others).push_back(number);
  if (others.size() <= most_other_rows) {
    shown.insert(shown.end(), others.begin(), others.end());
    return rows_of(overview, shown);
  }
  return fmt::format(
      "{}<details>\n<summary>{}, which are right, or windows that are not decided</summary>\n{}</details>\n",
      shown.empty() ? "" : rows_of(overview, shown), counted(others.size(), "part"), rows_of(overview, others));
}

}  // namespace

std::string in_html(std::string_view text) {
  std::string escaped;
  for (const char c : displayed(std::string(text.substr(0, longest_html)))) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string_view style_class(const PartResult& result) {
  switch (result.tone()) {
    case Tone::wrong: return "wrong";
    case Tone::refused: return "refused";
    case Tone::undecided: return "undecided";
    default: return "right";
  }
}

std::string overview_html(const Overview& overview) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n"
      "<p><b class=\"{2}\">{3}</b></p>\n<ul>\n",
      in_html(overview.path), style, overview.is_legal() ? "right" : "wrong", in_html(overview.legality()));
  for (const Remark& remark : overview.remarks())
    html += item(remark.nodes.empty() ? remark.text
                                      : fmt::format("{} ({})", remark.text, remark.nodes_text(most_nodes_in_remark)));
  for (const std::string& line : overview.coverage()) html += item(line);
  for (const auto& [cell, count] : overview.cells()) html += item(fmt::format("{}: {}", cell, counted(count, "node")));
  for (const auto& [reason, numbers] : overview.undecided())
    html += item(fmt::format("undecided in {} {}: {}", numbers.size(), numbers.size() == 1 ? "part" : "parts", reason));
  for (const std::string& text : overview.assumptions()) html += item("assumed: " + text);
  html += "</ul>\n";
  if (!overview.backends.empty()) html += "<h2>Parts</h2>\n" + backends_section(overview) + parts_section(overview);
  html +=
      "<h2>The model</h2>\n<p>Data flow from left to right, line by line. A box is a unit or a node, with the number "
      "of "
      "its first node in the graph, and a square for each backend, in the order above: "
      "<span class=\"right\">right</span>, <span class=\"wrong\">wrong</span>, "
      "<span class=\"refused\">refused</span>, <span class=\"undecided\">undecided or not run</span>; dashed: not "
      "checked. ← names boxes in other lines whose values a box reads, × repeated sequences of boxes.</p>\n";
  return html + model_drawing(overview) + "</html>\n";
}

}  // namespace touchstone::conformance

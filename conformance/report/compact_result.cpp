#include "conformance/report/compact_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/backends/assumptions.h"
#include "conformance/generate/form.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/report/json_report.h"

namespace touchstone::conformance {

namespace {

/// The places of the names in the tables of the specification, and in that of forms.
const std::unordered_map<std::string_view, std::size_t>& places_of_names() {
  static const auto places = [] {
    std::unordered_map<std::string_view, std::size_t> found;
    const auto add = [&](std::string_view name) { found.emplace(name, found.size()); };
    static std::vector<std::string> operator_names;
    for (const spec::OperatorVersion& row : spec::operator_versions)
      operator_names.push_back(spec::qualified_name(row.domain, row.op));
    for (const std::string& name : operator_names) add(name);
    for (const spec::ElementTypeInfo& row : spec::element_types) add(row.name);
    for (const spec::Granularity one :
         {spec::Granularity::per_tensor, spec::Granularity::per_axis, spec::Granularity::blocked})
      add(spec::name(one));
    for (const Form& form : forms()) add(form.name);
    return found;
  }();
  return places;
}

/// What a name is sorted by: numbers by value, known names by their place, and others after them.
std::size_t rank(const std::string& name) {
  if (!name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos)
    return std::stoul(name);
  const auto known = places_of_names().find(name);
  return known != places_of_names().end() ? known->second : std::size_t{1} << 32;
}

// ---- What people run: the graphs that such networks consist of.

bool has_one_of(std::string_view pattern, std::initializer_list<std::string_view> operators) {
  return std::ranges::any_of(operators,
                             [&](std::string_view one) { return pattern.find(one) != std::string_view::npos; });
}

bool is_int8_cnn(std::string_view pattern, const GraphParameters& p) {
  return (p.quantized == ElementType::int8 || p.quantized == ElementType::uint8) && p.number == ElementType::float32 &&
         has_one_of(pattern, {"conv", "pool", "gemm", "relu", "clip", "dq_add", "concat", "flatten"});
}

bool is_int4_llm(std::string_view pattern, const GraphParameters& p) {
  return (p.quantized == ElementType::int4 || p.quantized == ElementType::uint4) &&
         pattern.find("blocked_dq") != std::string_view::npos;
}

bool has_float8(std::string_view, const GraphParameters& p) { return spec::name(p.quantized).starts_with("float8"); }

struct Use {
  std::string_view name;
  /// Whether networks of this kind have graphs of this pattern, with these types.
  bool (*has)(std::string_view pattern, const GraphParameters& parameters);
};

constexpr std::array uses{Use{"int8 CNN", is_int8_cnn}, Use{"int4 weights of an LLM", is_int4_llm},
                          Use{"float8 activations", has_float8}};

/// That of a generated case of which the primary readings decide nothing, so that it has no cell.
std::optional<spec::Granularity> granularity_in(std::string_view id) {
  using enum spec::Granularity;
  for (const spec::Granularity one : {per_tensor, per_axis, blocked})
    if (id.find(fmt::format("/{}/", spec::name(one))) != std::string_view::npos) return one;
  return std::nullopt;
}

void count_cases(std::span<const CaseRecord> records, CompactResult& result) {
  using Version = const spec::OperatorVersion*;
  std::map<std::tuple<Version, spec::ElementType, std::optional<spec::Granularity>>, Counts> operators;
  std::map<std::pair<Version, spec::ElementType>, Counts> float_types;
  std::map<std::pair<std::string_view, spec::ElementType>, Counts> graphs;
  result.uses.clear();
  for (const CaseRecord& record : records) {
    if (record.must_reject()) continue;
    if (const auto parameters = find_graph_parameters(record.id)) {
      const std::string_view pattern = pattern_of(record.id);
      graphs[{pattern, parameters->quantized}].count(record);
      for (const Use& use : uses)
        if (use.has(pattern, *parameters)) result.uses[{std::string(use.name)}].count(record);
    }
    if (!record.subject) continue;
    const Version version = record.subject.version;
    const Cell* cell = record.cells.empty() ? nullptr : &record.cells.front();
    operators[{version, record.subject.quantized_type, cell != nullptr ? cell->granularity : granularity_in(record.id)}]
        .count(record);
    if (cell != nullptr)
      float_types[{version, version->op == spec::Operator::quantize_linear ? cell->x : cell->scale}].count(record);
  }
  const auto names = [](Version version) {
    return std::pair(spec::qualified_name(version->domain, version->op), std::to_string(version->since_version));
  };
  result.operators.clear();
  for (const auto& [row, counts] : operators) {
    const auto& [version, type, granularity] = row;
    const auto [op, number] = names(version);
    const std::string granularity_name(granularity ? spec::name(*granularity) : any_name);
    result.operators[{op, std::string(spec::name(type)), granularity_name, number}] = counts;
  }
  for (const auto& [row, counts] : float_types) {
    const auto [op, number] = names(row.first);
    result.float_types[{std::string(spec::name(row.second)), op, number}] = counts;
  }
  result.graphs.clear();
  for (const auto& [row, counts] : graphs)
    result.graphs[{cut(std::string(row.first), longest_result_name), "types", std::string(spec::name(row.second))}] +=
        counts;
}

/// The lowest level that all cases of the cause have, or an empty text.
std::string common_level(const Cause& cause, std::span<const CaseRecord> records) {
  const std::string level(*records[cause.cases.front()].lowest_level);
  const auto has_it = [&](std::size_t place) { return *records[place].lowest_level == level; };
  return std::ranges::all_of(cause.cases, has_it) ? level : "";
}

}  // namespace

bool InSpecOrder::operator()(const ResultPath& left, const ResultPath& right) const {
  return std::ranges::lexicographical_compare(left, right, [](const std::string& one, const std::string& other) {
    return one != other &&
           std::pair(rank(one), std::string_view(one)) < std::pair(rank(other), std::string_view(other));
  });
}

std::string CompactResult::variant() const {
  constexpr std::string_view name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const std::size_t colon = command.find_first_not_of(name);
  const bool has_one = colon != std::string::npos && colon > 0 && command[colon] == ':' &&
                       command.find_first_not_of(name, colon + 1) == std::string::npos;
  return has_one ? command.substr(colon + 1) : "";
}

ResultRows without_granularities(const ResultRows& operators) {
  ResultRows rows;
  for (const auto& [path, counts] : operators) rows[{path[0], path[1], any_name, path[3]}] += counts;
  return rows;
}

bool CompactResult::has_granularities() const {
  return operators.empty() || std::ranges::any_of(operators, [](const auto& row) { return row.first[2] != any_name; });
}

CompactResult compact_result(const RunInfo& run, const Summary& summary, std::span<const CaseRecord> records) {
  CompactResult result = result_of_report(report_members(run, summary));
  result.assume = assumptions(run.assumed);
  result.finished = summary.times.finished;
  count_cases(records, result);
  for (std::size_t i = 0; i < summary.causes.size(); ++i)
    result.causes[i].from = common_level(summary.causes[i], records);
  return result;
}

}  // namespace touchstone::conformance

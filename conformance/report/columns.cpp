#include "conformance/report/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/plan/number.h"

namespace touchstone::conformance {

namespace {

/// A row of a part. Rows of float_types begin with the type, graphs and uses have only a name.
struct RowNames {
  std::string op, type, granularity;
  long version = 0;
};

RowNames names_of(std::string_view part, const ResultPath& path) {
  const auto version = [](const std::string& name) { return std::strtol(name.c_str(), nullptr, 10); };
  if (part == "operators") return {path[0], path[1], path[2], version(path[3])};
  if (part == "float_types") return {path[1], path[0], "", version(path[2])};
  return {path[0], "", "", 0};
}

const ResultRows& rows_of(std::string_view part, const CompactResult& result) {
  if (part == "operators") return result.operators;
  if (part == "float_types") return result.float_types;
  return part == "uses" ? result.uses : result.graphs;
}

bool has(const ResultColumn& column, const RowNames& row) {
  const bool is_of_onnx = row.op.find('.') == std::string::npos;  // names of other domains have a prefix
  return (column.op.empty() ? is_of_onnx : row.op == column.op) &&
         (column.types.empty() || std::ranges::find(column.types, row.type) != column.types.end()) &&
         (column.granularity.empty() || row.granularity == column.granularity) && row.version >= column.since;
}

/// Sorts 1.9 < 1.10rc1 < 1.10 < 1.10.post1, as the page does.
std::tuple<std::vector<std::uint64_t>, int, std::string_view> order_of(std::string_view version) {
  constexpr std::string_view digits = "0123456789";
  version.remove_prefix(std::min(version.find_first_of(digits), version.size()));
  std::vector<std::uint64_t> numbers;
  for (std::size_t end = 0; (end = std::min(version.find_first_not_of(digits), version.size())) > 0;) {
    numbers.push_back(std::strtoull(std::string(version.substr(0, end)).c_str(), nullptr, 10));
    version.remove_prefix(version.substr(end).starts_with('.') ? end + 1 : end);
  }
  const std::string_view name = version.substr(std::min(version.find_first_not_of("-_+"), version.size()));
  const bool is_early = std::ranges::any_of(std::array{"a", "b", "rc", "dev", "pre"},
                                            [&](const char* early) { return name.starts_with(early); });
  return {numbers, version.empty() ? 0 : is_early ? -1 : 1, version};
}

/// "ort:optimized 1.32.0 on haswell". The name of the runtime alone would not tell its configuration.
std::string runtime_of(const CompactResult& result) {
  const std::string& version = result.backend.version;
  constexpr std::size_t longest = 16;  // descriptions of a build are longer
  const bool is_path = result.command.find_first_of("/ ") != std::string::npos;
  const std::string text =
      fmt::format("{} {}", is_path ? result.backend.name : result.command,
                  version.substr(0, version.size() > longest ? version.find_first_of("-+ ") : version.npos));
  return result.cpu.empty() ? text : text + " on " + result.cpu;
}

/// Whether cases of the plan are not in the counts.
bool is_unfinished(const CompactResult& result) {
  return result.not_run > result.total.legal[AnswerClass::undecided] + result.total.illegal[AnswerClass::undecided];
}

std::string path_of(const CompactResult& result) {
  std::string path = result.command + (result.cpu.empty() ? "" : '-' + result.cpu);
  for (char& c : path)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_') c = '-';
  if (path.empty() || path.starts_with('.')) path.insert(path.begin(), '-');  // neither hidden nor a parent directory
  return path;
}

/// The words and the colour of a cell of the page. A refusal is grey, because a wrong answer is worse.
std::pair<std::string, const char*> in_badge(const Counts& counts, bool is_illegal, bool is_unfinished) {
  using enum AnswerClass;
  const std::size_t right_cases = counts[right] + counts[rejected] + counts[permitted];
  const std::size_t wrong_cases = counts[wrong] + counts[not_rejected];
  const std::size_t total = counts.total();
  const char* const right_word = is_illegal ? "rejected" : "right";
  const std::string of_total = fmt::format("{} of {} {}", with_commas(right_cases), with_commas(total), right_word);
  if (total == 0) return {"no result", "lightgrey"};
  if (wrong_cases > 0)
    return {fmt::format("{} {}, {}", with_commas(wrong_cases), is_illegal ? "accepted" : "wrong", of_total), "red"};
  if (right_cases == total && is_unfinished) return {of_total + ", unfinished", "yellow"};
  if (right_cases == total) return {fmt::format("all {} {}", with_commas(total), right_word), "brightgreen"};
  if (right_cases > 0) return {of_total, "yellow"};
  return {counts[refused] > 0 ? "refused" : counts[undecided] > 0 ? "undecided" : "not asked", "lightgrey"};
}

}  // namespace

std::span<const ResultColumn> result_columns() {
  static const std::vector<ResultColumn> columns{
      {.id = "cnn",
       .label = "int8 CNN",
       .title = "graphs with convolutions, pools, sums and Relu between int8 and uint8 tensors",
       .part = "uses",
       .op = "int8 CNN"},
      {.id = "llm",
       .label = "int4 LLM",
       .title = "MatMul and Gemm with int4 and uint4 weights in blocks",
       .part = "uses",
       .op = "int4 weights of an LLM"},
      {.id = "int8",
       .label = "int8",
       .title = "int8 and uint8, one scale for the tensor",
       .part = "operators",
       .types = {"int8", "uint8"},
       .granularity = "per_tensor"},
      {.id = "channel",
       .label = "int8 per channel",
       .title = "int8 and uint8, a scale for each channel",
       .part = "operators",
       .types = {"int8", "uint8"},
       .granularity = "per_axis"},
      {.id = "int16", .label = "int16", .title = "int16 and uint16", .part = "operators", .types = {"int16", "uint16"}},
      {.id = "int4",
       .label = "int4 weights",
       .title = "DequantizeLinear of int4 and uint4",
       .part = "operators",
       .types = {"int4", "uint4"},
       .op = "DequantizeLinear"},
      {.id = "int2", .label = "2-bit", .title = "int2 and uint2", .part = "operators", .types = {"int2", "uint2"}},
      {.id = "float8",
       .label = "float8",
       .title = "the four float8 types",
       .part = "operators",
       .types = {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"}},
      {.id = "float4",
       .label = "float4, float6",
       .title = "float4e2m1, float6e2m3 and float6e3m2",
       .part = "operators",
       .types = {"float4e2m1", "float6e2m3", "float6e3m2"}},
      {.id = "bfloat16",
       .label = "bfloat16",
       .title = "bfloat16 as the type of real values or of scales",
       .part = "float_types",
       .types = {"bfloat16"}},
      {.id = "opset21",
       .label = "opset ≥ 21",
       .title = "all quantized types, operator version 21 and later",
       .part = "operators",
       .since = 21},
      {.id = "graphs",
       .label = "graphs",
       .title = "patterns of several nodes, such as DequantizeLinear, Conv, QuantizeLinear",
       .part = "graphs"},
      {.id = "illegal",
       .label = "illegal models",
       .title = "models that break a rule of the standard",
       .part = "illegal"},
  };
  return columns;
}

Json columns_json() {
  Json json = Json::array();
  for (const ResultColumn& column : result_columns())
    json.push_back({{"id", column.id},
                    {"label", column.label},
                    {"title", column.title},
                    {"part", column.part},
                    {"types", column.types},
                    {"operator", column.op},
                    {"granularity", column.granularity},
                    {"since", column.since}});
  return json;
}

Counts counts_in(const ResultColumn& column, const CompactResult& result) {
  if (column.part == "illegal") return result.total.illegal;
  Counts sum;
  for (const auto& [path, counts] : rows_of(column.part, result))
    if (has(column, names_of(column.part, path))) sum += counts;
  return sum;
}

std::vector<Badge> badges(std::span<const CompactResult* const> results) {
  std::map<std::string, const CompactResult*> newest;
  for (const CompactResult* result : results) {
    const CompactResult*& kept = newest[path_of(*result)];
    const auto rank = [](const CompactResult& one) {
      return std::pair(order_of(one.backend.version), one.plan.value("cases", std::size_t{0}));
    };
    if (kept == nullptr || rank(*kept) < rank(*result)) kept = result;
  }
  std::vector<Badge> all;
  for (const auto& [path, result] : newest)
    for (const ResultColumn& column : result_columns()) {
      const auto [message, color] =
          in_badge(counts_in(column, *result), column.part == "illegal", is_unfinished(*result));
      all.push_back({fmt::format("{}/{}.json", path, column.id),
                     {{"schemaVersion", 1},
                      {"label", fmt::format("{}, {}", runtime_of(*result), column.label)},
                      {"message", message},
                      {"color", color}}});
    }
  return all;
}

}  // namespace touchstone::conformance

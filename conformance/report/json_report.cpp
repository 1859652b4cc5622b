#include "conformance/report/json_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "conformance/report/number.h"
#include "conformance/version.h"

namespace touchstone::conformance {

using Json = nlohmann::ordered_json;

namespace {

Json verdict_counts(const Summary& summary) {
  Json counts = Json::object();
  for (const VerdictInfo& row : verdicts) counts[std::string(row.name)] = summary.count(row.verdict);
  return counts;
}

Json matrix(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, tally] : summary.matrix) {
    const auto& [op, opset, type] = place;
    rows.push_back({{"operator", spec::name(op)},
                    {"opset", opset},
                    {"version", spec::resolve(spec::ai_onnx, op, opset)->since_version},
                    {"type", spec::name(type)},
                    {"passed", tally.passed},
                    {"total", tally.total}});
  }
  return rows;
}

Json number(const ElementCode& element) {
  return {{"type", spec::name(element.type)},
          {"value", decimal(element.type, element.code)},
          {"code", hex(element.type, element.code)}};
}

Json number(const std::optional<ElementCode>& element) { return element ? number(*element) : Json(nullptr); }

Json wrong_elements(const CaseRecord& record) {
  Json rows = Json::array();
  for (const WrongElement& wrong : record.wrong_elements)
    rows.push_back({{"index", wrong.index},
                    {"x", number(wrong.x)},
                    {"scale", number(wrong.scale)},
                    {"zero_point", number(wrong.zero_point)},
                    {"expected", number(wrong.expected)},
                    {"actual", number(wrong.actual)}});
  return rows;
}

Json case_record(const CaseRecord& record) {
  Json row{{"id", record.id}, {"verdict", name(record.verdict)}};
  if (!record.reason.empty()) row["reason"] = record.reason;
  if (record.subject) {
    row["operator"] = spec::name(record.subject->version->op);
    row["opset"] = record.subject->opset;
    row["version"] = record.subject->version->since_version;
    row["type"] = spec::name(record.subject->quantized_type);
  }
  row["cells"] = Json::array();
  for (const Cell& cell : record.cells) row["cells"].push_back(to_string(cell));
  row["clauses"] = record.clauses;
  if (!record.wrong_elements.empty()) {
    row["data_set"] = record.data_set;
    row["wrong_elements"] = wrong_elements(record);
  }
  return row;
}

}  // namespace

std::string to_json(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records) {
  Json report{
      {"touchstone", {{"version", version}}},
      {"backend",
       {{"name", run.backend.name}, {"version", run.backend.version}, {"description", run.backend.description}}},
      {"suite", run.suite},
      {"filter", run.filter},
      {"summary",
       {{"cases", summary.cases},
        {"verdicts", verdict_counts(summary)},
        {"cells", {{"legal", summary.legal_cells}, {"covered", summary.covered_cells}}}}},
      {"matrix", matrix(summary)},
  };
  report["cases"] = Json::array();
  for (const CaseRecord& record : records) report["cases"].push_back(case_record(record));
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_file_whole(const std::filesystem::path& path, std::string_view content) {
  const auto fail = [&](const std::string& what) { throw FileError(path.string(), what); };
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail("its directory cannot be created: " + error.message());

  const std::string beside = path.string() + fmt::format(".{}.part", ::getpid());
  {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(beside.c_str(), "wb"), std::fclose);
    if (file == nullptr) fail(std::string("cannot be created: ") + std::strerror(errno));
    const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size() &&
                         std::fflush(file.get()) == 0 && ::fsync(::fileno(file.get())) == 0;
    if (!written) {
      const std::string reason = std::strerror(errno);
      std::filesystem::remove(beside, error);
      fail("cannot be written: " + reason);
    }
  }
  std::filesystem::rename(beside, path, error);
  if (error) fail("cannot be replaced: " + error.message());
}

}  // namespace touchstone::conformance

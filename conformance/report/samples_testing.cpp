#include "conformance/report/samples_testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "conformance/judge/compare.h"
#include "conformance/plan/digest.h"
#include "conformance/run/attempt.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"
#include "spec/opset.h"

namespace touchstone::conformance {

using spec::ElementType;

namespace {

constexpr std::array<std::string_view, 7> forms{"inputs",   "initializers", "constant_nodes", "all_constant",
                                                "symbolic", "typed_fields", "empty_name"};

RunInfo run_info(std::size_t cases) {
  return {.tool_version = "0.1.0",
          .backend = {"example-npu", "2.4.1", "a run that is made up"},
          .suites = {"onnx", "generated"},
          .tier = "standard",
          .seed = 7,
          .filter = "*",
          .plan_hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
          .cases = cases,
          .host = "Linux 6.1.0 x86_64, some processor",
          .backend_option = "./example-npu.so"};
}

std::uint64_t mixed(std::uint64_t number) { return Digest().add(fmt::format("{}", number)).value(); }

ElementCode element(ElementType type, std::uint64_t number) {
  return {type, number & (~std::uint64_t{0} >> (64 - spec::info(type).bits))};
}

std::vector<WrongElement> wrong_elements(const Cell& cell, std::uint64_t seed) {
  std::vector<WrongElement> rows;
  for (std::size_t i = 0; i < first_differences; ++i) {
    const std::uint64_t number = mixed(seed * first_differences + i);
    const ElementType zero_point = cell.quantized_type();
    rows.push_back(
        {.index = static_cast<std::int64_t>(3 * i + seed % 5),
         .x = element(cell.x, number),
         .scale = element(cell.scale, number >> 7),
         .zero_point = cell.has_zero_point() ? std::optional(element(zero_point, number >> 3)) : std::nullopt,
         .expected = element(cell.y, number >> 11),
         .actual = element(cell.y, (number >> 11) ^ 1),
         .position = {static_cast<std::int64_t>(seed % 5), static_cast<std::int64_t>(i)},
         .scale_index = static_cast<std::int64_t>(i),
         .block = cell.granularity == spec::Granularity::blocked ? std::optional(static_cast<std::int64_t>(i / 2))
                                                                 : std::nullopt});
  }
  return rows;
}

/// Whether the backend rounds halves away from zero.
bool rounds_half_away(const Cell& cell) {
  return cell.version->op == spec::Operator::quantize_linear && cell.x == ElementType::float32 &&
         cell.scale == ElementType::float32 && cell.y == ElementType::int8 &&
         cell.granularity == spec::Granularity::per_axis;
}

/// Quotients of 0.5, 2.5, -0.5, -2.5 and so on, with the zero point 0.
std::vector<WrongElement> wrong_halves(const Cell& cell, std::uint64_t seed) {
  std::vector<WrongElement> rows = wrong_elements(cell, seed);
  int number = 0;
  for (WrongElement& row : rows) {
    const int sign = number % 2 == 0 ? 1 : -1;
    const int even = number / 2 * 2;
    row.x = element(cell.x, std::bit_cast<std::uint32_t>(static_cast<float>(sign) * (static_cast<float>(even) + 0.5F)));
    row.scale = element(cell.scale, std::bit_cast<std::uint32_t>(1.0F));
    if (row.zero_point) row.zero_point->code = 0;
    row.expected = element(cell.y, static_cast<std::uint64_t>(sign * even));
    row.actual = element(cell.y, static_cast<std::uint64_t>(sign * (even + 1)));
    ++number;
  }
  return rows;
}

CaseRecord passed(const Cell& cell, int opset, std::size_t number) {
  CaseRecord record;
  const std::string_view form = forms[number % forms.size()];
  record.id = fmt::format("{}/opset={}/{}/{}", to_string(cell), opset, form, number % 61);
  record.verdict = Verdict::pass;
  record.subject = {cell.version, opset, cell.quantized_type()};
  record.form = std::string(form);
  record.shape = {3, static_cast<std::int64_t>(number % 5)};
  record.attributes = {{"axis", number % 2 == 0 ? 1 : -1}};
  record.cells = {cell};
  std::vector<std::string_view> clauses;
  for (std::size_t i = 0; i < 12; ++i)
    clauses.push_back(spec::clauses[(number % 97 + 3 * i) % spec::clauses.size()].id);
  record.clauses = std::move(clauses);
  record.elements = static_cast<std::int64_t>(48 + number % 60);
  record.masked = number % 11 == 0 ? 3 : 0;
  record.digest = ContentHash().add_number(number).finish();
  record.output_digest = mixed(~number);
  return record;
}

CaseRecord with_verdict(CaseRecord record, Verdict verdict, std::size_t seed) {
  record.verdict = verdict;
  record.reason = std::string(name(verdict)) + ", says the example";
  if (verdict == Verdict::fail) {
    record.reason = fmt::format("data set 0: {} of {} elements differ", 16 + seed % 9, record.elements);
    record.wrong_elements = wrong_elements(record.cells.front(), seed);
    if (rounds_half_away(record.cells.front())) {
      record.wrong_elements = wrong_halves(record.cells.front(), seed);
      record.hypotheses = {"rounds-half-away-from-zero"};
    } else if (seed % 3 == 0)
      record.hypotheses = {"rounds-half-up", "rounds-half-down+ignores-zero-point"};
  }
  if (verdict == Verdict::pass_variant || verdict == Verdict::rejects_variant) {
    const spec::Ambiguity& ambiguity = *spec::ambiguities[seed / 97 % 7];
    record.readings = {{ambiguity.id, ambiguity.readings[1].id}};
    record.reason = fmt::format("{}: {}", ambiguity.id, ambiguity.readings[1].id);
  }
  if (verdict == Verdict::pass) record.reason = {};
  if (verdict == Verdict::rejects_valid) record.reason = "the device has no such element type";
  return record;
}

CaseRecord must_reject(CaseRecord record, std::size_t number) {
  record.id = fmt::format("{}/must_reject/{}", *record.id, number);
  record.cells = {};
  record.violated = &spec::clauses[number % spec::clauses.size()];
  record.elements = record.masked = 0;
  if (number % 91 == 0) {
    record.verdict = Verdict::accepts_invalid;
    record.reason = fmt::format("gives an output, though the input is wrong ({})", record.violated_id());
  }
  return record;
}

/// A backend that does not support float6, rounds incorrectly to the FNUZ types, rounds halves away from zero for some
/// int8, misreads some blocks of 4-bit types, and divides float16 under another reading.
Verdict ordinary_verdict(const Cell& cell, std::size_t number) {
  const std::string_view type = spec::name(cell.quantized_type());
  const bool quantizes = cell.version->op == spec::Operator::quantize_linear;
  const bool packed = spec::info(cell.quantized_type()).bits == 4;
  if (type.starts_with("float6")) return number % 5 == 0 ? Verdict::rejects_variant : Verdict::rejects_valid;
  if (quantizes && type.ends_with("fnuz") && number % 9 < 2) return Verdict::fail;
  if (rounds_half_away(cell) && number % 7 == 0) return Verdict::fail;
  if (packed && cell.granularity == spec::Granularity::blocked && number % 11 == 0) return Verdict::fail;
  if (quantizes && cell.x == ElementType::float16 && number % 3 == 0) return Verdict::pass_variant;
  if (number % 9973 == 0) return Verdict::crash;
  if (number % 14983 == 0) return Verdict::timeout;
  return Verdict::pass;
}

struct OperatorAtOpset {
  int opset;
  std::vector<Cell> cells;
};

std::vector<OperatorAtOpset> operators_at_opsets() {
  std::vector<OperatorAtOpset> places;
  for (const spec::Opset& opset : spec::opsets)
    for (const auto op : {spec::Operator::quantize_linear, spec::Operator::dequantize_linear})
      if (const spec::OperatorVersion* version = spec::resolve(opset.domain, op, opset.number))
        places.push_back({opset.number, legal_cells(*version)});
  return places;
}

/// Passing cases, distributed evenly over all versions and opsets.
std::vector<CaseRecord> passing_records(std::size_t cases) {
  std::vector<CaseRecord> records;
  const std::vector<OperatorAtOpset> places = operators_at_opsets();
  for (std::size_t number = 0; records.size() < cases; ++number) {
    const auto& [opset, cells] = places[number % places.size()];
    const std::size_t round = number / places.size();
    records.push_back(passed(cells[round * 7919 % cells.size()], opset, number));
    records.back().id = std::string(records.back().id) + fmt::format("-{}", round);
  }
  return records;
}

}  // namespace

Summary SampleRun::summary() const {
  Summary summary = summarize(run.cases, records, apply(expectations, records, "2026-06-15"), Requirement(run.require));
  summary.all_cases = true;
  summary.times = {"2026-11-24T18:25:46Z", "2026-11-24T18:27:46Z"};
  summary.journal = "0f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5a69780f1e2d3c4b5a6978";
  summary.inconsistencies = inconsistencies;
  summary.fingerprint = fingerprint;
  summary.stopped = stopped;
  return summary;
}

Inconsistency inconsistency(const Cell& cell, const std::string& form, const std::string& id,
                            const std::string& other_id) {
  const spec::Ambiguity& ambiguity = *spec::ambiguities[5];
  return {ambiguity.id,
          {cell.version, cell.x, cell.scale, cell.quantized_type(), cell.y, cell.precision, form},
          {{{{ambiguity.readings[1].id}, 3, id}, {{ambiguity.readings[0].id, ambiguity.readings[2].id}, 1, other_id}}}};
}

std::vector<FingerprintRow> fingerprint(const std::string& form, const std::string& id, const std::string& other_id) {
  const auto row = [](std::size_t number, Following following, std::string_view property, auto... parts) {
    return FingerprintRow{spec::ambiguities[number]->id, following, property, {parts...}};
  };
  const auto reading = [](std::size_t number, std::size_t place) {
    return spec::ambiguities[number]->readings[place].id;
  };
  using Part = FingerprintRow::Part;
  return {
      row(0, Following::one_reading, "", Part{{}, {reading(0, 0)}, 1'234, id}),
      row(1, Following::one_reading, "", Part{{}, {reading(1, 1)}, 1, other_id}),
      row(2, Following::not_determined, "", Part{{}, {reading(2, 0), reading(2, 1)}, 0, ""}),
      row(3, Following::not_determined, "", Part{{}, {reading(3, 0), reading(3, 1)}, 2, id}),
      row(5, Following::inconsistent, "", Part{{}, {reading(5, 1)}, 3, id},
          Part{{}, {reading(5, 0), reading(5, 2)}, 1, other_id}),
      row(6, Following::several, "form", Part{{"inputs", form}, {reading(6, 0)}, 5, id},
          Part{{"initializers"}, {reading(6, 1)}, 4, other_id}),
  };
}

SampleRun hostile_run() {
  const Cell quantize = *find_cell("quantize_linear/21/f32-f32-i4/blocked/zp");
  const Cell dequantize = *find_cell("dequantize_linear/23/e2m1-f16-f16/per_axis/no_zp");
  SampleRun sample{run_info(0), {}, {}};
  std::size_t number = 0;
  for (const VerdictInfo& row : verdicts) {
    const Cell& cell = number % 2 == 0 ? quantize : dequantize;
    sample.records.push_back(with_verdict(passed(cell, cell.version->since_version, number), row.verdict, number));
    if (row.verdict == Verdict::not_shown || row.verdict == Verdict::accepts_invalid)
      sample.records.back().violated = &spec::clauses.front();
    ++number;
  }
  for (CaseRecord& record : sample.records) {
    if (record.verdict != Verdict::rejects_valid) continue;
    record.declined = true;
    record.output_digest = 0;
    record.reason = fmt::format("{}{}", unknown_opset, hostile_texts[1]);
  }
  sample.records.front().covered = {{Operand::x, quantize.x, 0x80000000, 0xffffffff},
                                    one_code(Operand::scale, quantize.scale, 0x3f800000),
                                    one_code(Operand::zero_point, quantize.y, 0x7)};
  for (const std::string_view text : hostile_texts) {
    CaseRecord record = with_verdict(passed(quantize, 21, number), Verdict::fail, number);
    record.id = fmt::format("onnx/{} {}", number++, text);
    record.reason = std::string(text);
    record.form = std::string(text);
    sample.records.push_back(record);
  }
  sample.records.push_back(must_reject(passed(quantize, 21, 0), 0));
  sample.records.push_back(must_reject(passed(quantize, 22, 1), 1));
  CaseRecord graph;
  graph.id = "graphs/ql_reshape_dq/19/e4m3fn/f32/per_tensor/zp/positive/same/inputs";
  graph.verdict = Verdict::rejects_valid;
  graph.digest = ContentHash().add_number(number).finish();
  graph.output_digest = 1;
  graph.reason = std::string(hostile_texts[1]);
  graph.refused_operator = "Reshape of float8e4m3fn";
  sample.records.push_back(graph);
  graph.id = "graphs/ql_reshape_dq/13/u8/f32/per_tensor/zp/positive/same/inputs";
  graph.verdict = Verdict::crash;
  graph.refused_operator = {};
  graph.lowest_level = std::string(hostile_texts[1]);
  graph.level_below = std::string(hostile_texts[3]);
  graph.wrong_below = true;
  graph.only_as = std::string(hostile_texts[3]);
  graph.flaky = std::string(hostile_texts[2]);
  graph.output = fmt::format("{}\n{}", hostile_texts[3], hostile_texts[4]);
  sample.records.push_back(graph);
  CaseRecord unreadable;
  unreadable.id = "onnx/unreadable";
  unreadable.verdict = Verdict::harness_error;
  unreadable.reason = std::string(hostile_texts[1]);
  sample.records.push_back(unreadable);

  const Cell precise = *find_cell("quantize_linear/23/f32-f16-i4/blocked/zp/precision=f32");
  sample.inconsistencies = {inconsistency(quantize, "inputs", sample.records[0].id, sample.records[1].id)};
  for (const CaseRecord& record : sample.records)
    if (record.id->starts_with("onnx/"))
      sample.inconsistencies.push_back(inconsistency(precise, record.form, record.id, sample.records[0].id));

  sample.fingerprint =
      fingerprint(std::string(hostile_texts[1]), sample.records.back().id, sample.records[verdicts.size()].id);

  sample.run = run_info(sample.records.size() + 2);
  sample.run.backend = {std::string(hostile_texts[1]), std::string(hostile_texts[5]), std::string(hostile_texts[4])};
  sample.run.filter = hostile_texts[0];
  sample.run.host = hostile_texts[6];
  sample.run.backend_option = hostile_texts[8];
  sample.run.data = fmt::format("/{}", hostile_texts[0]);
  sample.run.follow_symlinks = true;
  sample.run.worker.cpu = hostile_texts[0];
  sample.run.worker.passed_variables = {hostile_texts.begin(), hostile_texts.end()};
  sample.run.worker.in_sandbox = true;
  sample.run.worker.shows_ids = true;
  sample.run.declared = {.element_types = {1, 999}, .opsets = {{std::string(hostile_texts[1]), 1, 2}}};
  sample.run.assumed = {.constant_scales_only = true, .static_shapes_only = true};
  sample.run.lower_levels = {hostile_texts.begin(), hostile_texts.end()};
  sample.run.require = hostile_texts[0];
  sample.stopped = hostile_texts[1];

  const auto text = [](std::size_t which) { return std::string(hostile_texts[which]); };
  sample.expectations = {
      {"onnx/11 *", Verdict::fail, text(1), text(7), "2026-12-31"},
      {sample.records.front().id, Verdict::fail, "fixed by now", "NPU-2"},
      {text(6), Verdict::crash, text(5), text(0), std::nullopt, text(2), text(3), text(4)},
      {"onnx/12 *", Verdict::fail, "was to be fixed in spring", "NPU-3", "2026-03-31"},
  };
  return sample;
}

SampleRun large_run(std::size_t cases) {
  SampleRun sample{run_info(cases), passing_records(cases), {}};
  for (std::size_t number = 0; number < cases; ++number) {
    CaseRecord& record = sample.records[number];
    record = number % 37 == 0 ? must_reject(record, number / 37)
                              : with_verdict(record, ordinary_verdict(record.cells.front(), number), number);
  }
  sample.expectations = {{"*e2m3*:*e3m2*", Verdict::rejects_valid, "no kernels for float6 yet", "NPU-17"}};
  sample.inconsistencies = {inconsistency(sample.records[1].cells.front(), sample.records[1].form, sample.records[1].id,
                                          sample.records[2].id)};
  sample.fingerprint = fingerprint("symbolic", sample.records[1].id, sample.records[2].id);
  return sample;
}

SampleRun failing_run(std::size_t cases) {
  SampleRun sample{run_info(cases), passing_records(cases), {}};
  for (std::size_t number = 0; number < cases; ++number)
    sample.records[number] = with_verdict(sample.records[number], Verdict::fail, number);
  return sample;
}

}  // namespace touchstone::conformance

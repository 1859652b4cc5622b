#include "conformance/run/record_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/files/sha256.h"
#include "conformance/judge/mismatch.h"
#include "conformance/plan/number.h"
#include "conformance/run/attempt.h"
#include "conformance/run/json_members.h"
#include "conformance/run/requirement.h"
#include "conformance/run/single_nodes.h"
#include "conformance/run/wrong_element.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

namespace {

using members::Count;
using members::fail;
using members::Integers;
using members::List;
using members::Named;
using members::Object;
using members::OrNull;
using members::PerDimension;
using members::Scalar;
using members::Text;
using members::text_if;

constexpr Text hexadecimal{"is not a hexadecimal number",
                           [](std::uint64_t value) { return fmt::format("{:016x}", value); },
                           [](const std::string& text) {
                             std::uint64_t value = 0;
                             const char* const first = text.data() + (text.starts_with("0x") ? 2 : 0);
                             const char* const last = text.data() + text.size();
                             const auto [end, error] = std::from_chars(first, last, value, 16);
                             return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
                           }};
constexpr Text sha256_text{"is not a SHA-256 of 64 hexadecimal digits",
                           [](const Sha256& value) { return to_hex(value); }, sha256_from_hex};
constexpr Text shard_text{"{} is not a part such as 3/16", [](const Shard& shard) { return to_string(shard); },
                          [](const std::string& text) {
                            const std::optional<Shard> found = parse_shard(text);
                            return found && found->is_whole() ? std::nullopt : found;
                          }};
constexpr Text cell_text{"no such cell as {}", [](const Cell& cell) { return to_string(cell); }, find_cell};

constexpr auto other_operator = text_if("{} is not an operator of some types", is_operator_of_types);
/// The name of a hypothesis, or of a combination.
constexpr auto hypothesis_name =
    text_if("no such hypothesis as {}", [](const std::string& text) { return !find_hypothesis(text).empty(); });

/// The bits of an element.
struct Code {
  spec::ElementType type;

  Json write(std::uint64_t value) const { return hex(type, value); }
  void read(const Json& json, const char* name, std::uint64_t& value) const {
    hexadecimal.read(json, name, value);
    if (value > last_code(type))
      fail(name, fmt::format("{:#x} has more than the {} bits of {}", value, spec::info(type).bits, spec::name(type)));
  }
};

constexpr Named element_type{"element type", spec::element_types, &spec::ElementTypeInfo::name,
                             &spec::ElementTypeInfo::type};
constexpr Named verdict{"verdict", verdicts, &VerdictInfo::name, &VerdictInfo::verdict};
constexpr Named clause{"clause", spec::clauses, &spec::Clause::id, &spec::Clause::id};
constexpr Named violated{"clause", spec::clauses, &spec::Clause::id, [](const spec::Clause& row) { return &row; }};
constexpr Named ambiguity{"ambiguity", spec::ambiguities, &spec::Ambiguity::id, &spec::Ambiguity::id};
constexpr std::array all_operands{Operand::x, Operand::scale, Operand::zero_point};
constexpr Named operand{"operand", all_operands, [](Operand one) { return name(one); }, std::identity()};

/// A reading of a known ambiguity.
auto reading_of(std::string_view id) {
  return Named{"reading of this ambiguity", spec::find_ambiguity(id)->readings, &spec::ReadingInfo::id,
               &spec::ReadingInfo::id};
}

constexpr Object element_code{[](auto& io, auto& element) {
  io("type", element.type, element_type);
  io.derived("value", [&] { return decimal(element.type, element.code); });
  io("code", element.code, Code{element.type});
}};

auto wrong_element_of(const CaseRecord& record) {
  return Object{[&record](auto& io, auto& wrong) {
    io("index", wrong.index, Count());
    io("x", wrong.x, OrNull{element_code});
    io("scale", wrong.scale, OrNull{element_code});
    io("zero_point", wrong.zero_point, OrNull{element_code});
    io("expected", wrong.expected, element_code);
    io("actual", wrong.actual, element_code);
    io.optional("position", wrong.position, PerDimension());
    io.optional("scale_index", wrong.scale_index, OrNull{Count()});
    io.optional("block", wrong.block, OrNull{Count()});
    io.derived("quotient", [&] { return quotient(record, wrong); });
  }};
}

/// The wrong elements of a record.
struct WrongElementList {
  const CaseRecord& record;

  Json write(const WrongElements& value) const { return List{wrong_element_of(record)}.write(value.unpacked()); }
  void read(const Json& json, const char* name, WrongElements& value) const {
    std::vector<WrongElement> elements;
    List{wrong_element_of(record)}.read(json, name, elements);
    value = elements;
  }
};

constexpr Object reading{[](auto& io, auto& row) {
  io("ambiguity", row.ambiguity, ambiguity);
  io("reading", row.reading, reading_of(row.ambiguity));
}};

constexpr Object code_interval{[]<class Io>(Io& io, auto& interval) {
  io("operand", interval.operand, operand);
  io("type", interval.type, element_type);
  io("first", interval.first, Code{interval.type});
  io("last", interval.last, Code{interval.type});
  if (Io::reads && interval.first > interval.last)
    fail("covered", fmt::format("{:#x} to {:#x} is not an interval of codes of {}", interval.first, interval.last,
                                spec::name(interval.type)));
}};

/// Uses the field names of worker.proto. Omits capabilities that do not limit the backend.
constexpr Object capabilities{[](auto& io, auto& value) {
  io.optional("element_types", value.element_types, List<Scalar>());
  io.optional("opsets", value.opsets, List{Object{[](auto& row_io, auto& row) {
                row_io("domain", row.domain);
                row_io("oldest", row.oldest);
                row_io("newest", row.newest);
              }}});
  io.optional("constant_scales_only", value.constant_scales_only);
  io.optional("static_shapes_only", value.static_shapes_only);
}};

/// The names of an operator version.
struct VersionNames {
  std::string domain;
  std::string op;
  int number = 0;

  explicit VersionNames(const spec::OperatorVersion* version) {
    if (version == nullptr) return;  // to be read
    domain = version->domain;
    op = spec::name(version->op);
    number = version->since_version;
  }

  const spec::OperatorVersion* find() const {
    for (const spec::OperatorVersion& row : spec::operator_versions)
      if (row.domain == domain && spec::name(row.op) == op && row.since_version == number) return &row;
    fail("version", fmt::format("{} of {} has no version {}", in_quotes(op), in_quotes(domain), number));
  }
};

constexpr auto subject_table = []<class Io>(Io& io, auto& subject) {
  VersionNames names(subject.version);
  io("domain", names.domain);
  io("operator", names.op);
  io("opset", subject.opset);
  io("version", names.number);
  io("type", subject.quantized_type, element_type);
  if constexpr (Io::reads) {
    subject.version = names.find();
    if (spec::resolve(names.domain, subject.version->op, subject.opset) != subject.version)
      fail("opset", fmt::format("{} has another version than {} at opset {}", names.op, names.number, subject.opset));
  }
};

void check_levels(const CaseRecord& record) {
  if (record.lowest_level.empty() && !record.level_below.empty()) fail("lowest_level", "missing");
  if (record.level_below.empty() && record.wrong_below) fail("level_below", "missing");
  const bool is_wrong_graph = is_wrong(record.answer_class()) && !record.subject;
  if (!record.lowest_level.empty() && !is_wrong_graph) fail("lowest_level", "the case is not a wrong graph");
  if (!record.only_as.empty() && !is_wrong(record.answer_class())) fail("only_as", "the case is not wrong");
}

void check_wrong_element(const CaseRecord& record, const WrongElement& wrong) {
  const auto fail_of = [&](std::string_view what) {
    fail("wrong_elements", fmt::format("element {} {}", wrong.index, what));
  };
  if (wrong.expected == wrong.actual) fail_of("is as expected");
  // The elements of a model from a file are not counted if the specification forbids the model.
  if ((wrong.x || !record.form.empty()) && wrong.index >= record.elements)
    fail_of(fmt::format("is beyond the {} of the case", record.elements));
  const auto is_beyond = [&](const std::optional<std::int64_t>& one) { return one > wrong.index; };
  if (std::ranges::any_of(wrong.position, is_beyond) || is_beyond(wrong.scale_index) || is_beyond(wrong.block))
    fail_of("has a position, a scale or a block beyond it");
}

bool is_variant(Verdict given) { return given == Verdict::pass_variant || given == Verdict::rejects_variant; }
bool is_compared(Verdict given) { return is_pass(given) || given == Verdict::fail; }
bool is_read(const CaseRecord& record) { return record.digest != Sha256{}; }

/// Refuses members that no case with this verdict has.
void check_present(const CaseRecord& record) {
  const Verdict given = record.verdict;
  const auto check = [&](const char* member, bool is_there, bool is_possible) {
    if (is_there && !is_possible)
      fail(member, fmt::format("no {} has this member{}", name(given), record.declined ? " if it was not asked" : ""));
  };
  check("reason", !record.reason.empty(), given != Verdict::pass || reports_zero_signs(record.reason));
  check("wrong_elements", !record.wrong_elements.empty(), given == Verdict::fail);
  check("hypotheses", !record.hypotheses->empty(), given == Verdict::fail || given == Verdict::pass_variant);
  check("readings", !record.readings->empty(), is_variant(given));
  check("covered", !record.covered->empty(), is_compared(given));
  check("flaky", !record.flaky.empty(), record.is_problem() && record.output_digest != 0);
  check("output", !record.output.empty(), explains_output(given));
  check("declined", record.declined, given == Verdict::rejects_valid && record.output_digest == 0);
  check("output_digest", record.output_digest != 0, is_read(record));
}

/// Refuses the absence of members that every case with this verdict has.
void check_absent(const CaseRecord& record) {
  const Verdict given = record.verdict;
  if (given == Verdict::fail && record.reason.empty()) fail("reason", "missing");
  if (is_variant(given) && record.readings->empty()) fail("readings", "missing");
  // Expected outputs in files may contradict the specification; generated cases have a form and no such outputs.
  if (given == Verdict::accepts_invalid && record.violated == nullptr && !record.form.empty())
    fail("violated", "missing");
  if (!is_read(record) && given != Verdict::harness_error && !record.declined)
    fail("digest", fmt::format("a case that was not read cannot have the verdict {}", name(given)));
  if (is_compared(given) && record.output_digest == 0)
    fail("output_digest", fmt::format("is 0, but the verdict is {}", name(given)));
}

/// Refuses members that no run writes together.
void check_consistency(const CaseRecord& record) {
  check_present(record);
  check_absent(record);
  const bool is_all_open = record.elements > 0 && record.masked == record.elements;
  // Expected outputs in files need not agree with the specification.
  if (record.verdict == Verdict::pass && is_all_open && record.subject && !record.form.empty() && !record.must_reject())
    fail("masked", "is the number of all elements, so that no answer is a pass");
  for (const WrongElement& wrong : record.wrong_elements.unpacked()) check_wrong_element(record, wrong);
}

constexpr Object case_record{[]<class Io>(Io& io, auto& record) {
  io("id", record.id);
  io("verdict", record.verdict, verdict);
  io.optional("reason", record.reason);
  if (io.has("operator", static_cast<bool>(record.subject))) subject_table(io, record.subject);
  io.optional("shape", record.shape, PerDimension());
  io.optional("attributes", record.attributes, Integers());
  io.optional("form", record.form);
  io("cells", record.cells, List{cell_text});
  io("clauses", record.clauses, List{clause});
  io.optional("violated", record.violated, violated);
  io.optional("readings", record.readings, List{reading});
  io.optional("covered", record.covered, List{code_interval});
  io("elements", record.elements, Count());
  io.optional("masked", record.masked, Count());
  if (Io::reads && record.masked > record.elements)
    fail("masked", fmt::format("{} of {} elements", record.masked, record.elements));
  io("digest", record.digest, sha256_text);
  io("output_digest", record.output_digest, hexadecimal);
  if (io.has("wrong_elements", !record.wrong_elements.empty())) {
    io("data_set", record.data_set);
    io.optional("wrong_elements", record.wrong_elements, WrongElementList{record});
  }
  io.optional("hypotheses", record.hypotheses, List{hypothesis_name});
  io.optional("declined", record.declined);
  io.optional("refused_operator", record.refused_operator, other_operator);
  if (const bool is_refused_graph = record.answer_class() == AnswerClass::refused && !record.subject;
      Io::reads && !record.refused_operator.empty() && !is_refused_graph)
    fail("refused_operator", "the case is not a refused graph");
  io.optional("lowest_level", record.lowest_level);
  io.optional("level_below", record.level_below);
  io.optional("wrong_below", record.wrong_below);
  io.optional("only_as", record.only_as);
  if constexpr (Io::reads) check_levels(record);
  io.optional("flaky", record.flaky);
  io.optional("output", record.output);
  if constexpr (Io::reads) check_consistency(record);
}};

void check_requirement(const std::string& text) try {
  const Requirement requirement(text);
} catch (const std::invalid_argument& error) {
  fail("require", error.what());
}

void check_limits(const std::map<std::string, std::uint64_t>& limits) {
  for (const auto& [name, value] : limits) {
    const auto* row = std::ranges::find(limit_rows, name, &LimitRow::name);
    if (row == limit_rows.end()) fail("limits", "no such limit as " + in_quotes(name));
    if (value < 1 || value > row->most) fail("limits", fmt::format("{}={} is out of range", name, value));
  }
}

constexpr Object run_info{[](auto& io, auto& run) {
  io("touchstone", run, Object{[](auto& in, auto& of) { in("version", of.tool_version); }});
  io("backend", run, Object{[](auto& in, auto& of) {
       in("name", of.backend.name);
       in("version", of.backend.version);
       in("description", of.backend.description);
       in("declares", of.declared, capabilities);
     }});
  io("plan", run, Object{[](auto& in, auto& of) {
       in("suites", of.suites, List<Scalar>());
       in("tier", of.tier);
       in("seed", of.seed);
       in.optional("examples", of.examples);
       in("filter", of.filter);
       in("hash", of.plan_hash);
       in("cases", of.cases);
       in.optional("shard", of.shard, shard_text);
       in.optional("balance", of.balance);
       in.optional("covering", of.in_covering_order);
       in.optional("last_failed", of.last_failed);
     }});
  io("judge", run, Object{[](auto& in, auto& of) {
       in("strict", of.strict);
       in("sign_of_zero", of.sign_of_zero);
     }});
  io("host", run.host);
  io("options", run, Object{[]<class In>(In& in, auto& of) {
       in("backend", of.backend_option);
       in("data", of.data);
       in.optional("follow_symlinks", of.follow_symlinks);
       in.optional("balance", of.balance_path);
       in.optional("cpu", of.worker.cpu);
       in("timeout", of.worker.timeout);
       if (const double seconds = of.worker.timeout;
           In::reads && !(shortest_timeout <= seconds && seconds <= longest_timeout))
         fail("timeout",
              fmt::format("{:g} is not between {:g} and {:g} seconds", seconds, shortest_timeout, longest_timeout));
       in("memory_limit", of.worker.memory_limit);
       in("python", of.worker.python);
       in.optional("pass_env", of.worker.passed_variables, List<Scalar>());
       in.optional("sandbox", of.worker.in_sandbox);
       in.optional("no_sandbox", of.worker.without_sandbox);
       in.optional("show_ids", of.worker.shows_ids);
       in("assume", of.assumed, capabilities);
       in.optional("lower_levels", of.lower_levels, List<Scalar>());
       in.optional("dimensions", of.dimensions, List<Scalar>());
       in.optional("inputs", of.inputs);
       in.optional("require", of.require);
       if constexpr (In::reads) check_requirement(of.require);
       in.optional("expectations", of.expectations);
       if (In::reads && !of.expectations.empty() && !sha256_from_hex(of.expectations))
         fail("expectations", "is not a SHA-256 of 64 hexadecimal digits");
       in.optional("limits", of.changed_limits, Integers());
       if constexpr (In::reads) check_limits(of.changed_limits);
     }});
}};

constexpr Object inconsistency{[]<class Io>(Io& io, auto& one) {
  io("ambiguity", one.ambiguity, ambiguity);
  VersionNames names(one.group.version);
  io("domain", names.domain);
  io("operator", names.op);
  io("version", names.number);
  if constexpr (Io::reads) one.group.version = names.find();
  io("types", one.group, Object{[](auto& in, auto& group) {
       in("x", group.x, element_type);
       in("scale", group.scale, element_type);
       in("zero_point", group.zero_point, element_type);
       in("y", group.y, element_type);
       in.optional("precision", group.precision, OrNull{element_type});
     }});
  io("form", one.group.form);
  io("evidence", one.evidence, List{Object{[&one](auto& in, auto& row) {
       in("readings", row.readings, List{reading_of(one.ambiguity)});
       in("cases", row.cases);
       in("case", row.id);
     }}});
}};

constexpr Object contradictions{[](auto& io, auto& row) {
  io("hypothesis", row.hypothesis, hypothesis_name);
  io("checked", row.checked);
  io("cases", row.cases, List<Scalar>());
}};

constexpr Named experiment_outcome{"outcome", experiment_outcomes, &ExperimentOutcomeInfo::name,
                                   &ExperimentOutcomeInfo::outcome};
constexpr Named experiment_change{"change", experiment_changes, &ExperimentChangeInfo::name,
                                  &ExperimentChangeInfo::change};

constexpr Object experiment{[]<class Io>(Io& io, auto& row) {
  io("case", row.base);
  io("number", row.number);
  io("change", row.change, experiment_change);
  io("outcome", row.outcome, experiment_outcome);
  if (row.outcome != ExperimentOutcome::answered) return;
  io("verdict", row.verdict, verdict);
  if (Io::reads && row.verdict != Verdict::pass && row.verdict != Verdict::fail)
    fail("verdict", "of an experiment is neither pass nor fail");
  io("tested", row.tested, List{hypothesis_name});
  io("consistent", row.consistent, List{hypothesis_name});
}};

constexpr Named following{"kind of result", following_rows, &FollowingInfo::id, &FollowingInfo::following};
constexpr Named kind_property{"property", kind_properties, std::identity(), std::identity()};

constexpr Object fingerprint_row{[]<class Io>(Io& io, auto& row) {
  io("ambiguity", row.ambiguity, ambiguity);
  io("result", row.following, following);
  io.optional("property", row.property, kind_property);
  io("parts", row.parts, List{Object{[&row]<class In>(In& in, auto& part) {
       in.optional("values", part.values, List<Scalar>());
       in("readings", part.readings, List{reading_of(row.ambiguity)});
       if (In::reads && part.readings.empty()) fail("readings", "is empty");
       in("cases", part.cases);
       in.optional("case", part.id);
     }}});
  if (Io::reads && row.parts.empty()) fail("parts", "is empty");
}};

constexpr Object findings{[](auto& io, auto& of) {
  io.optional("inconsistencies", of.inconsistencies, OrNull{List{inconsistency}});
  io.optional("contradictions", of.contradictions, List{contradictions});
  io.optional("fingerprint", of.fingerprint, OrNull{List{fingerprint_row}});
  io.optional("experiments", of.experiments, List{experiment});
  io.optional("stopped", of.stopped);
}};

template <class T>
T read(const Json& json, const char* name, const auto& object) {
  T value{};
  object.read(json, name, value);
  return value;
}

}  // namespace

Json to_json(const CaseRecord& record) { return case_record.write(record); }
Sha256 description_digest(const CaseRecord& record, bool is_sweep) {
  CaseRecord described;
  described.id = record.id;
  described.subject = record.subject;
  described.shape = record.shape;
  described.attributes = record.attributes;
  described.form = record.form;
  described.cells = record.cells;
  described.clauses = record.clauses;
  described.violated = record.violated;
  if (!is_sweep) {
    described.elements = record.elements;
    described.masked = record.masked;
  }
  return Sha256Stream().add(to_line(to_json(described))).finish();
}

Json to_json(const RunInfo& run) { return run_info.write(run); }
Json to_json(const Inconsistency& one) { return inconsistency.write(one); }
Json to_json(const FingerprintRow& row) { return fingerprint_row.write(row); }
Json to_json(const Findings& of) { return findings.write(of); }

CaseRecord record_from_json(const Json& json) { return read<CaseRecord>(json, "record", case_record); }
RunInfo run_info_from_json(const Json& json) { return read<RunInfo>(json, "run", run_info); }
Findings findings_from_json(const Json& json) { return read<Findings>(json, "findings", findings); }

}  // namespace touchstone::conformance

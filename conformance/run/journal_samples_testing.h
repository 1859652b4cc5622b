// For tests of journals: samples of what they hold.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/run/journal.h"
#include "conformance/testing.h"

namespace touchstone::conformance {

inline RunInfo sample_info() {
  RunInfo run;
  run.tool_version = "0.1.0";
  run.backend = {"fake", "1", "answers \"as told\""};
  run.suites = {"onnx", "generated"};
  run.tier = "standard";
  run.seed = 0xffffffffffffffff;
  run.filter = "*";
  run.plan_hash = std::string(64, 'a');
  run.cases = 3;
  run.sign_of_zero = true;
  run.host = "somewhere";
  run.backend_option = "fake --fast";
  run.data = "/some/tests";
  run.follow_symlinks = true;
  run.declared = {.element_types = {1, -7}, .opsets = {{"a,\n", 3, -2}}, .static_shapes_only = true};
  run.assumed = {.opsets = {{"ai.onnx", 10, 21}}, .constant_scales_only = true};
  run.lower_levels = {"ort", "ort:basic"};
  run.expectations = std::string(64, 'b');
  run.changed_limits = {{"rank", 8}};
  run.worker = {.cpu = "haswell",
                .timeout = 0.5,
                .memory_limit = 0xffffffffffffffff,
                .python = "python 3",
                .passed_variables = {"A_TOKEN", "B"},
                .in_sandbox = true,
                .without_sandbox = true,
                .shows_ids = true};
  return run;
}

inline CaseRecord sample_record(const std::string& id) {
  const auto* version = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, 22);
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::fail;
  made.reason = "1 of 6 elements differ\nand \"more\"";
  made.subject = {version, 22, spec::ElementType::int4};
  made.form = "initializers";
  made.cells = {legal_cells(*version).front(), legal_cells(*version).back()};
  made.clauses = {"ql-formula", "qdq-per-axis"};
  made.hypotheses = {"rounds-half-up", "rounds-half-up+ignores-zero-point",
                     "rounds-half-up+ignores-zero-point+ignores-axis"};
  made.elements = 6;
  made.masked = 1;
  made.digest = {{0xfe, 0xdc, 0xba}};
  made.time = {12};
  made.output_digest = 7;
  made.flaky = "pass when it was run again";
  made.output = "a warning\n\x01\n";
  made.data_set = 1;
  made.wrong_elements = {{.index = 4,
                          .x = ElementCode{spec::ElementType::float32, 0x7fc00001},
                          .scale = ElementCode{spec::ElementType::float16, 0x8000},
                          .zero_point = std::nullopt,
                          .expected = {spec::ElementType::int4, 0xf},
                          .actual = {spec::ElementType::int4, 0x8},
                          .position = {0, 4},
                          .scale_index = 3,
                          .block = 1}};
  return made;
}

inline CaseRecord sample_rejection(const std::string& id) {
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::accepts_invalid;
  made.violated = spec::find_clause("qdq-axis-range");
  made.digest = {{0xba}};
  made.output_digest = 8;
  return made;
}

inline CaseRecord sample_variant(const std::string& id) {
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::pass_variant;
  made.reason = "amb-nan-to-integer: maximum";
  made.readings = {{"amb-nan-to-integer", "maximum"}};
  made.digest = {{0xdc}};
  made.output_digest = 9;
  return made;
}

inline CaseRecord sample_declined(const std::string& id) {
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::rejects_valid;
  made.reason = "no int4";
  made.declined = true;
  made.digest = {{0xab}};
  return made;
}

inline std::string bytes_of(const std::filesystem::path& path) { return read_bounded_file(path, 1'000'000); }

inline Inconsistency sample_inconsistency() {
  const auto* version = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, 23);
  return {spec::SameFloatDivision::row.id,
          {version, spec::ElementType::float16, spec::ElementType::float16, spec::ElementType::int4,
           spec::ElementType::int4, spec::ElementType::float32, "inputs"},
          {{{{"in-float32"}, 2, "a"}, {{"in-scale-type"}, 1, "b"}}}};
}

inline std::vector<FingerprintRow> sample_fingerprint() {
  return {
      {spec::SameFloatDivision::row.id, Following::one_reading, {}, {{{}, {"in-float32"}, 2, "a"}}},
      {spec::ScaleDomain::row.id, Following::not_determined, {}, {{{}, {spec::ScaleDomain::readings[0].id}, 0, ""}}},
      {spec::SameFloatDivisionBefore23::row.id,
       Following::several,
       "x",
       {{{"float16"}, {"in-float32", "exact-quotient"}, 2, "a"}, {{"bfloat16", "a \""}, {"in-input-type"}, 1, "b"}}}};
}

class Journals : public testing::Test {
 protected:
  Journals() {
    JournalWriter writer = JournalWriter::begin(path_, sample_info());
    writer.write(std::vector{sample_record("a"), sample_rejection("b")});
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / journal_name;
};

}  // namespace touchstone::conformance

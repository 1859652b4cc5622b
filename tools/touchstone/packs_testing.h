// For tests of packs: answers from a backend in this process, and the verdicts on them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/files/test_directory.h"
#include "conformance/packs/layout.h"
#include "conformance/run/journal.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools {

/// Answers a pack with expected outputs like a device: reads models and inputs, and writes outputs or refusals.
inline void answer_pack(const fs::path& pack, const fs::path& answers, const char* backend_name) {
  using namespace conformance;
  const std::unique_ptr<Backend> backend = make_backend(backend_name);
  for (const fs::path& directory : find_test_directories(pack)) {
    const Case asked = read_test_directory(directory, directory.string());
    const fs::path to = answers / directory.lexically_relative(pack);
    Unit unit{asked.id, asked.model.bytes, {}};
    for (const DataSet& data : asked.data_sets) unit.inputs.emplace_back(data.inputs);
    const UnitAnswer answer = backend->run(unit);
    if (const auto* refusal = std::get_if<Refusal>(&answer)) write_file(to / refused_name, refusal->reason + "\n");
    if (!std::holds_alternative<std::vector<Answer>>(answer)) continue;
    const auto& sets = std::get<std::vector<Answer>>(answer);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const fs::path set = to / data_set_name(i);
      if (const auto* refusal = std::get_if<Refusal>(&sets[i])) write_file(set / refused_name, refusal->reason);
      if (const auto* outputs = std::get_if<Outputs>(&sets[i]))
        for (std::size_t k = 0; k < outputs->size(); ++k)
          write_file(set / output_name(k), tensor_file_content((*outputs)[k].value, "whatever"));
    }
  }
}

inline std::map<std::string, conformance::CaseRecord> records_in(const fs::path& output) {
  std::map<std::string, conformance::CaseRecord> records;
  for (conformance::CaseRecord& record : conformance::read_journal(output / conformance::journal_name).records)
    records.emplace(record.id, record);
  return records;
}

inline nlohmann::json manifest_in(const fs::path& pack) {
  return nlohmann::json::parse(content_of(pack / conformance::manifest_name));
}

/// The ids of two cases that do not need ONNX's files, and their folders in packs.
inline const std::string legal_id = "quantize_linear/10/f32-f32-u8/per_tensor/zp/values";
inline const fs::path legal_path = "cases/test_quantizelinear_10_f32_f32_u8_per_tensor_zp_values";
inline const std::string illegal_id = "quantize_linear/10/must_reject/attribute/axis";
inline const fs::path illegal_path = "must_reject/test_quantizelinear_10_must_reject_attribute_axis";

/// A pack of these two cases in "pack", and the answers of `optimized` in "answers".
inline void export_two(const TemporaryDirectory& scratch) {
  const Outcome exported = touchstone(scratch, {"export", "pack", "--suite", "generated", "--tier", "standard",
                                                "--filter", legal_id + ":" + illegal_id});
  ASSERT_EQ(exported.exit_code, 0) << exported.error;
  answer_pack(scratch.path() / "pack", scratch.path() / "answers", "optimized");
}

/// Runs touchstone judge on "answers". Its reports are in "out".
inline Outcome judge(const TemporaryDirectory& scratch, const std::vector<std::string>& options = {}) {
  fs::remove_all(scratch.path() / "out");
  std::vector<std::string> arguments{"judge", "pack", "--answers", "answers", "--output", "out"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return touchstone(scratch, arguments);
}

}  // namespace touchstone::tools

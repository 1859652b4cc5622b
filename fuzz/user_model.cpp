// Reads any bytes as a model of a user. Either a FileError describes the fault, or the model is cut into parts: each of
// its nodes is in one or is counted with a reason, and the reference passes in every part that can be judged.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/check/legality.h"
#include "conformance/files/attribute.h"
#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/run/runner.h"
#include "conformance/units/unit_cases.h"
#include "fuzz/directory_input.h"
#include "fuzz/law.h"
#include "spec/opset.h"

using namespace touchstone;
using namespace touchstone::conformance;

namespace {

/// Larger models take too long with sanitizers.
[[maybe_unused]] const bool has_small_limits = (set_limits("graph_elements=65536,graph_weights=65536,graph_terms="
                                                           "262144,elements_per_case=65536,data_bytes_per_case=1048576,"
                                                           "nodes_per_model=64"),
                                                true);

/// The reference refuses opsets that are newer than its tables.
bool has_newer_opset(const onnx::ModelProto& model) {
  return std::ranges::any_of(model.opset_import(), [](const onnx::OperatorSetIdProto& import) {
    const spec::Opset* newest = spec::newest_of(canonical_domain(import.domain()));
    return newest != nullptr && import.version() > newest->number;
  });
}

void examine_parts(const std::shared_ptr<const ModelParts>& parts) {
  const CutModel& cut = parts->cut();
  std::size_t counted = cut.in_units;
  for (const auto& [why, nodes] : cut.not_in_units) counted += nodes;
  fuzz::require(counted == cut.all_nodes, "each node is in a part, or is counted with the reason why not");
  examine(*parts);
  invalid_nodes(*parts);
  if (has_newer_opset(parts->model().proto())) return;
  ReferenceBackend backend;
  for (const PlannedCase& planned : plan_parts(parts, 0)) {
    const CaseRecord record = run_case(planned, backend);
    const AnswerClass result = record.answer_class();
    const bool passes = is_right(result) || result == AnswerClass::rejected || result == AnswerClass::undecided;
    fuzz::require(passes, fmt::format("the reference passes in {}; {}: {}", planned.id, name(record.verdict),
                                      std::string(record.reason))
                              .c_str());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::KeptDirectory directory;
  directory.become({{"model.onnx", std::string(reinterpret_cast<const char*>(data), size)}});
  try {
    examine_parts(std::make_shared<const ModelParts>(directory.path() / "model.onnx", DimensionLengths()));
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}

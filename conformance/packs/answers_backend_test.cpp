#include "conformance/packs/answers_backend.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/files/limits.h"
#include "conformance/files/test_directory.h"
#include "conformance/packs/layout.h"
#include "conformance/testing.h"

namespace touchstone::conformance::answers_backend_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Restores the size limits after a test.
class AnswersSize : public testing::Test {
 protected:
  ~AnswersSize() override {
    set_limits(fmt::format("data_bytes_per_case={},elements_per_case={}", before_.data_bytes_per_case,
                           before_.elements_per_case));
  }

  /// Writes a file with an output of six one-byte elements.
  void answer(std::size_t data_set, std::size_t output) {
    write_file(answers_.path() / pack_path("a", false) / data_set_name(data_set) / output_name(output),
               raw_tensor_proto(onnx::TensorProto::UINT8, {2, 3}, "123456"));
  }

  UnitAnswer answer_to(std::size_t data_sets) const {
    const Case asked = per_axis_case("a");
    return AnswersBackend(answers_.path()).run({asked.id, asked.model.bytes, {data_sets, asked.data_sets[0].inputs}});
  }

  std::string breakdown(std::size_t data_sets) const {
    const UnitAnswer answer = answer_to(data_sets);
    const auto* breakdown = std::get_if<Breakdown>(&answer);
    return breakdown != nullptr && breakdown->kind == Breakdown::Kind::protocol ? breakdown->detail : "";
  }

  const Limits before_ = limits();
  const TemporaryDirectory answers_;
};

TEST_F(AnswersSize, IsCountedOverAllOutputsOfACase) {
  answer(0, 0);
  answer(0, 1);
  answer(1, 0);
  set_limits("data_bytes_per_case=18,elements_per_case=18");
  EXPECT_TRUE(std::holds_alternative<std::vector<Answer>>(answer_to(2)));
  set_limits("data_bytes_per_case=17");
  EXPECT_THAT(breakdown(2), AllOf(HasSubstr("test_data_set_1/output_0.pb: more than the limit of 17 bytes in one case"),
                                  HasSubstr("(data_bytes_per_case)")));
  EXPECT_TRUE(std::holds_alternative<std::vector<Answer>>(answer_to(1))) << "counted separately";
  set_limits("data_bytes_per_case=18,elements_per_case=11");
  EXPECT_THAT(breakdown(2), AllOf(HasSubstr("test_data_set_0/output_1.pb: more than the limit of 11 elements"),
                                  HasSubstr("(elements_per_case)")));
}

}  // namespace
}  // namespace touchstone::conformance::answers_backend_test
